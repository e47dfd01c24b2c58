#include "gpu/tracks/fractal/fractal.h"

#include "gpu/core/error.h"
#include "gpu/tracks/fractal/entry.h"
#include "gpu/works/fractal/list.h"

namespace warploom {

const std::vector<TrackInfo>& fractal_tracks() {
  static const std::vector<TrackInfo> all = [] {
    std::vector<TrackInfo> infos;
    for (const auto& entry : detail::fractal_entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

const std::vector<NamedInfo>& fractal_works() {
  static const std::vector<NamedInfo> all = [] {
    std::vector<NamedInfo> works;
    for_each_type(FractalWorks{}, [&]<class Work>() {
      works.push_back({Work::info.key, Work::info.title, Work::info.description, "navarro2020fractals"});
    });
    return works;
  }();
  return all;
}

namespace {
const detail::FractalEntry& entry_of(const std::string& track) {
  const TrackInfo& wanted = find_fractal_track(track);
  for (const auto& entry : detail::fractal_entries())
    if (entry.info.name == wanted.name) return entry;
  throw Error("track '" + track + "' is listed but cannot be made");
}
}  // namespace

double fractal_launched(const Mask& mask, int level, int block_digits, const std::string& track) {
  return static_cast<double>(entry_of(track).launched(FractalDomain(mask, level), block_digits));
}

std::unique_ptr<Track> make_fractal_track(Queue& queue, const FractalSettings& settings, const std::string& name) {
  const auto& entry = entry_of(name);
  return entry.make(queue, settings, entry.info);
}

}  // namespace warploom
