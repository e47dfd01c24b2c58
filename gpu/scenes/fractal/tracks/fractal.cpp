#include "gpu/scenes/fractal/fractal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/works/list.h"

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

const detail::FractalEntry& detail::fractal_entry(const std::string& track) {
  const TrackInfo& wanted = find_fractal_track(track);
  for (const auto& entry : fractal_entries())
    if (entry.info.name == wanted.name) return entry;
  throw Error("track '" + track + "' is listed but cannot be made");
}

double fractal_launched(const Mask& mask, int level, int block_digits, const std::string& track) {
  return static_cast<double>(detail::fractal_entry(track).launched(FractalDomain(mask, level), block_digits));
}

double fractal_memory_gain(const Mask& mask, int level, int block_digits, const std::string& track) {
  const FractalDomain domain(mask, level);
  return static_cast<double>(volume(domain.extent)) / detail::fractal_entry(track).state_bytes(domain, block_digits);
}

std::string fractal_refusal(const Mask& mask, int level, int block_digits, const std::string& track) {
  const auto refusal = detail::fractal_entry(track).refusal;
  if (std::string why = refusal ? refusal(FractalDomain(mask, level), block_digits) : std::string(); !why.empty())
    return why;
  // Compact states are small where the box around them has no end: seconds of a step on a large device.
  constexpr double most = 0x1p40;
  const double launched = fractal_launched(mask, level, block_digits, track);
  if (launched <= most) return {};
  return fmt::format("a step would go through {:.3g} places, 2^40 are the most; lambda goes through the cells alone",
                     launched);
}

std::unique_ptr<Track> make_fractal_track(Queue& queue, const FractalSettings& settings, const std::string& name) {
  const auto& entry = detail::fractal_entry(name);
  if (const auto& runs = compiled_fractal_track(entry.info, settings.work); runs.name != entry.info.name)
    throw UsageError(fmt::format("track '{}' is not compiled for work '{}'; the nearest that is: '{}'", entry.info.name,
                                 settings.work, runs.name));
  if (std::string why = fractal_refusal(settings.mask, settings.level, settings.block_digits, name); !why.empty()) {
    // The block nearest to the one asked for that would do.
    std::vector<int> digits = legal_block_digits(settings.mask, settings.level);
    std::erase_if(digits,
                  [&](int j) { return !fractal_refusal(settings.mask, settings.level, j, entry.info.name).empty(); });
    const auto far = [&](int j) { return std::abs(j - settings.block_digits); };
    const auto best = std::min_element(digits.begin(), digits.end(), [&](int a, int b) { return far(a) < far(b); });
    why += best == digits.end() ? "; nor would any other block do"
                                : "; block " + std::to_string(block_side(settings.mask, *best)) + " would do";
    throw UsageError(
        fmt::format("track '{}' of {} at level {}: {}", entry.info.name, settings.mask.key, settings.level, why));
  }
  return entry.make(queue, settings, entry.info);
}

}  // namespace warploom
