#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/shared_memory.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/scenes/simplex/tracks/entry.h"
#include "gpu/scenes/simplex/works/layouts.h"

namespace warploom {

namespace {

double blocks_of(const SimplexSettings& settings) {
  return simplex_number_real(settings.kind->dimensions, settings.blocks());
}
/// More than coarse kernels that write cells can serve (CoarseProgram).
bool too_many_blocks(const SimplexSettings& settings) { return blocks_of(settings) >= bare_root_blocks; }

/// Whether a coarse kernel serves these settings in a layout, under its map.
bool serves(const detail::CoarseEntry& entry, const SimplexSettings& settings, const std::string& layout) {
  if (settings.work != entry.work || settings.rho != entry.rho) return false;
  if (entry.layout && (layout != entry.layout || too_many_blocks(settings))) return false;
  return !(settings.kind->corner && entry.rows_together);
}

/// The first coarse kernel of the track's map that serves these settings and whose box `fits`; null: none.
const detail::CoarseEntry* first_coarse(const SimplexSettings& settings, const TrackInfo& track, auto&& fits) {
  for (const auto& entry : detail::coarse_entries(settings.kind->dimensions))
    if (serves(entry, settings, track.layout) && track.map == entry.map && fits(entry.box)) return &entry;
  return nullptr;
}

std::vector<std::string> words_of(const std::vector<std::uint32_t>& numbers) {
  return texts_of(numbers, [](std::uint32_t number) { return std::to_string(number); });
}

constexpr std::uint32_t gangs[] = {1, 2, 4, 8};

/// What a block of a gang takes, and what a gang can have.
struct GangRoom {
  std::uint64_t threads;
  unsigned most_threads;
  std::uint64_t shared_bytes;

  std::uint64_t threads_of(std::uint32_t gang) const { return gang_threads(threads, gang); }
  std::uint64_t bytes_of(std::uint32_t gang) const { return gang > 1 ? gang * shared_bytes : 0; }
  bool holds(std::uint32_t gang) const {
    return threads_of(gang) <= most_threads && bytes_of(gang) <= least_shared_memory;
  }
  std::uint32_t most() const {
    std::uint32_t most = 1;
    for (const std::uint32_t gang : gangs)
      if (holds(gang)) most = gang;
    return most;
  }
};

/// The smallest gang whose blocks start in the time that their bytes take at four fifths of the ceiling; at most as
/// many blocks as there are.
std::uint32_t best_gang(const SimplexSettings& settings, const GangRoom& room) {
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  const double bytes = std::pow(settings.rho, settings.kind->dimensions) * static_cast<double>(work.bytes_per_cell);
  const double blocks = blocks_of(settings);
  std::uint32_t best = 1;
  for (const std::uint32_t gang : gangs) {
    if (!room.holds(gang) || gang > blocks) break;
    best = gang;
    const double rate = work.reads_state ? h200_copied_per_ns : h200_filled_per_ns;
    if (bytes == 0 || h200_block_ns / gang < bytes / (.79 * rate)) break;
  }
  return best;
}

}  // namespace

const detail::CoarseEntry* detail::find_coarse(const SimplexSettings& settings, const TrackInfo& track,
                                               const CellShares& shares) {
  return first_coarse(settings, track, [&](const ThreadBox& box) { return box == shares.box; });
}

std::vector<std::uint32_t> simplex_coarsenings(const SimplexSettings& settings, const std::string& layout) {
  std::set<std::uint32_t> all;
  if (std::pow(settings.rho, settings.kind->dimensions) <= max_block_threads) all.insert(1);
  for (const auto& entry : detail::coarse_entries(settings.kind->dimensions))
    if (serves(entry, settings, layout)) all.insert(entry.box.cells());
  return {all.begin(), all.end()};
}

std::vector<std::uint32_t> simplex_coarse_sides(const SimplexSettings& settings) {
  std::set<std::uint32_t> all;
  for (const auto& entry : detail::coarse_entries(settings.kind->dimensions))
    if (settings.work == entry.work && !(settings.kind->corner && entry.rows_together)) all.insert(entry.rho);
  return {all.begin(), all.end()};
}

namespace {

/// "; layout blocked has shapes for it", or nothing.
std::string layouts_with_shapes(const SimplexSettings& settings) {
  std::vector<std::string> all;
  for (const auto& track : simplex_tracks(settings.kind->dimensions))
    if (!simplex_coarsenings(settings, track.layout).empty() &&
        std::find(all.begin(), all.end(), track.layout) == all.end())
      all.push_back(track.layout);
  return all.empty() ? "" : "; layout " + either(all) + " has shapes for them";
}

}  // namespace

CellShares simplex_shares(const SimplexSettings& settings, const TrackInfo& track) {
  CellShares shares;
  const int dimensions = settings.kind->dimensions;
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  GangRoom room{0, max_block_threads, work.shared_bytes};
  const detail::CoarseEntry* found = nullptr;
  bool substituted = false;
  const bool own = names_own(track.name), shaped = track.exact && !own;  // an own map has a thread a cell, always
  if (shaped && settings.coarsen != 1)
    found = first_coarse(settings, track, [&](const ThreadBox& box) {
      return settings.coarsen == 0 || settings.coarsen == box.cells();
    });
  // A listed shape that is not compiled under this map: the automatic one instead.
  if (!found && shaped && settings.coarsen > 1 && !compiles_all_shapes(dimensions, track)) {
    const auto listed = simplex_coarsenings(settings, track.layout);
    if (std::find(listed.begin(), listed.end(), settings.coarsen) != listed.end())
      found = first_coarse(settings, track, [](const ThreadBox&) { return true; });
    substituted = found;
  }
  // Called every frame, and seldom refused: words are made only where needed.
  const auto whose = [&] { return " (track '" + track.name + "')"; };
  const auto blocks = [&] {
    return "blocks of " + std::to_string(settings.rho) + (dimensions == 2 ? "\u00b2" : "\u00b3");
  };
  if (found) {
    shares.box = found->box;
    shares.sector = found->shares ? 32 / work.value_bytes : 0;
    room = {0, found->most_threads, found->shared_bytes};
  } else if (shaped && settings.coarsen > 1) {
    if (!work.per_block && too_many_blocks(settings))
      throw UsageError(
          fmt::format("coarsen {}: n {} has {} {}; threads that serve several cells are for fewer than {}{}",
                      settings.coarsen, settings.n, grouped(static_cast<std::uint64_t>(blocks_of(settings))), blocks(),
                      grouped(bare_root_blocks), whose()));
    const auto listed = simplex_coarsenings(settings, track.layout);
    const std::string refused = fmt::format("coarsen {}: work '{}' lists ", settings.coarsen, settings.work),
                      where = blocks() + ", " + track.layout + (settings.kind->corner ? ", corner" : "");
    if (listed.empty())
      throw UsageError(fmt::format("{}nothing for {}, and a thread per cell needs blocks of at most {}{}{}", refused,
                                   where, settings.kind->most_block, layouts_with_shapes(settings), whose()));
    auto words = words_of(listed);
    words.emplace_back("auto");
    throw UsageError(fmt::format("{}for {}, {} cells per thread; the nearest is {}{}", refused, where, either(words),
                                 *nearest_number(settings.coarsen, listed), whose()));
  }
  const std::uint64_t threads = static_cast<std::uint64_t>(std::pow(settings.rho, dimensions)) / shares.box.cells();
  if (threads > max_block_threads) {
    const auto words = words_of(simplex_coarsenings(settings, track.layout));
    const std::string shapes = !shaped         ? ""
                               : words.empty() ? layouts_with_shapes(settings)
                                               : "; coarsen " + either(words) + " has fewer";
    throw UsageError(fmt::format("block {}: {} have {} threads with a thread per cell, at most 1024 can be{}{}",
                                 settings.rho, blocks(), grouped(threads), shapes, whose()));
  }
  room.threads = threads;
  if (own) return shares;
  shares.gang = settings.gang ? settings.gang : best_gang(settings, room);
  // The gang was asked for another shape: takes as many blocks as go together.
  if (substituted) shares.gang = std::min(shares.gang, room.most());
  if (room.threads_of(shares.gang) > room.most_threads)
    throw UsageError(fmt::format("gang {}: {} blocks of {} threads are {}; the kernel of '{}' takes {}, a gang of {}{}",
                                 shares.gang, shares.gang, threads, room.threads_of(shares.gang), settings.work,
                                 room.most_threads, room.most(), whose()));
  if (!room.holds(shares.gang))
    throw UsageError(fmt::format(
        "gang {}: its blocks have {} bytes of shared memory each, {} together; every device has {} for them, "
        "enough for a gang of {}{}",
        shares.gang, grouped(room.shared_bytes), grouped(room.bytes_of(shares.gang)), grouped(least_shared_memory),
        room.most(), whose()));
  return shares;
}

}  // namespace warploom
