#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/works/seal.h"
#include "gpu/scenes/fractal/works/storage.h"

namespace warploom {

const TrackInfo& find_fractal_track(const std::string& name) {
  const auto& tracks = fractal_tracks();
  // Parts left out take their defaults: the first track of the list that fits the parts given.
  std::vector<std::string> parts{""};
  for (const char c : name) {
    if (c == '/')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  const auto fits = [&](const TrackInfo& track) {
    if (track.map != parts[0] || parts.size() > 3) return false;
    // A map without intra maps may have its storage in their place.
    if (parts.size() == 2 && track.intra.empty() && track.storage == parts[1]) return true;
    return (parts.size() < 2 || track.intra == parts[1]) && (parts.size() < 3 || track.storage == parts[2]);
  };
  if (const auto found = std::find_if(tracks.begin(), tracks.end(), fits); found != tracks.end()) return *found;
  // The nearest is looked for among the full names too, of which the short ones are told.
  std::vector<std::string> maps, ways, storages, full;
  const auto add = [](std::vector<std::string>& all, const std::string& one) {
    if (!one.empty() && std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  for (const auto& track : tracks) {
    add(maps, track.map);
    add(ways, track.intra);
    if (track.map != track.storage) add(storages, track.storage);
    full.push_back(track.name);
    full.push_back(track.map + (track.intra.empty() ? "" : "/" + track.intra));
    full.push_back(full.back() + "/" + track.storage);
  }
  throw UsageError("unknown track '" + name + "'; did you mean '" + nearest(name, full) + "'? (known: " + join(maps) +
                   "; a lambda with /INTRA: " + join(ways) + "; maps with /STORAGE: " + join(storages) + ")");
}

std::vector<int> legal_block_digits(const Mask& mask, int level) {
  std::vector<int> legal;
  std::uint64_t threads = 1;
  for (int j = 0; j <= level && threads <= max_block_threads;
       ++j, threads *= std::uint64_t{mask.side_x()} * mask.side_y())
    legal.push_back(j);
  return legal;
}

int default_block_digits(const Mask& mask, int level) {
  int best = 0;
  for (const int j : legal_block_digits(mask, level))
    if (std::pow(mask.side_x() * mask.side_y(), j) <= 256) best = j;
  return best;
}

std::uint32_t block_side(const Mask& mask, int digits) {
  std::uint32_t side = 1;
  for (int i = 0; i < digits; ++i) side *= mask.side_x();
  return side;
}

const TrackInfo& compiled_fractal_track(const TrackInfo& track, const std::string& work) {
  const auto& entry = detail::fractal_entry(track.name);
  return entry.only_work && work != entry.only_work ? find_fractal_track(entry.else_track) : track;
}

const std::vector<TrackInfo>& fractal_tracks(const std::string& work) {
  static const auto by_work = [] {
    std::map<std::string, std::vector<TrackInfo>> all;
    for (const auto& one : fractal_works())
      for (const auto& track : fractal_tracks())
        if (compiled_fractal_track(track, one.key).name == track.name) all[one.key].push_back(track);
    return all;
  }();
  const auto found = by_work.find(work);
  return found == by_work.end() ? fractal_tracks() : found->second;
}

int block_digits_of(const Mask& mask, int level, long long side) {
  std::vector<std::string> legal;
  for (const int j : legal_block_digits(mask, level)) {
    if (block_side(mask, j) == side) return j;
    legal.push_back(std::to_string(block_side(mask, j)));
  }
  throw UsageError(
      fmt::format("block {}: not legal for '{}' at level {}; a block's side is a power of {} with at most 1024 threads "
                  "and no larger "
                  "than the domain: {}",
                  side, mask.key, level, mask.side_x(), join(legal)));
}

double fractal_track_bytes(const Mask& mask, int level, int block_digits, const std::string& track) {
  const auto& entry = detail::fractal_entry(track);
  const double state = entry.state_bytes(FractalDomain(mask, level), block_digits);
  const double blocks = std::pow(double(mask.side_x()) * mask.side_y(), level - block_digits);
  // Two states, what sums and seals are added up in, and two bytes a launched block for the picture of the launch grid.
  constexpr double slots =
      sizeof(std::uint64_t) * (SumSlots::slots * SumSlots::words_apart + SealSlots::slots * SealSlots::words_apart);
  return 2 * state + slots + (blocks <= double(1u << 28) && entry.info.map != entry.info.storage ? 2 * blocks : 0);
}

void check_fractal_memory(Backend backend, const FractalSettings& settings, const std::vector<std::string>& tracks,
                          std::uint64_t bytes_to_be_released) {
  double needed = 0;
  for (const auto& track : tracks)
    needed += fractal_track_bytes(settings.mask, settings.level, settings.block_digits, track);
  const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(bytes_to_be_released);
  // A tenth is left to the pictures, the driver and everybody else.
  if (needed > .9 * available)
    throw UsageError(fmt::format(
        "level {}: {} {} {} ({} bytes) of {} memory, {} ({} bytes) are free; choose a lower level or fewer tracks",
        settings.level, tracks.size(), tracks.size() == 1 ? "track needs" : "tracks need", bytes_text(needed),
        grouped(static_cast<unsigned long long>(std::min(needed, 1.8e19))), name(backend), bytes_text(available),
        grouped(static_cast<unsigned long long>(available))));
}

bool fractal_member(const Mask& mask, int level, std::uint32_t x, std::uint32_t y) {
  return FractalDomain(mask, level).contains({x, y, 0});
}

}  // namespace warploom
