#include "gpu/scenes/irregular/tracks/tree_levels.h"

#include <algorithm>

#include "gpu/core/launch.h"

namespace warploom {

PlaceRange* LevelLists::room(Queue& queue, int level, std::uint64_t slots) {
  const bool keeps = kept_ == level && slots_ + slots <= most_kept;
  if (keeps) ++kept_, slots_ += slots;
  if (levels_.size() < static_cast<std::size_t>(kept_)) levels_.resize(static_cast<std::size_t>(kept_));
  auto& list = keeps ? levels_[static_cast<std::size_t>(level)] : spare_[level % 2];
  // Points move: the next list of this level may be somewhat longer.
  if (list.size() < slots) list = {}, list = Buffer<PlaceRange>(queue.backend(), slots + slots / 4);
  return list.data();
}

std::uint64_t LevelLists::bytes() const {
  std::uint64_t all = spare_[0].bytes() + spare_[1].bytes();
  for (const auto& list : levels_) all += list.bytes();
  return all;
}

TreeReport TreeByLevels::build(Queue& queue, const TreeKeys& keys, const TreeNodes& nodes, std::uint32_t leaf,
                               LevelLists& lists) {
  TreeReport report;
  lists.begin();
  if (keys.count <= leaf) return report;
  deepest_.zero(queue);
  launch_items("tree.build", queue, keys.count - leaf, FindDeepest{keys, leaf, deepest_.data()});
  const int levels = static_cast<int>(deepest_.download(queue)[0]) + 1;
  tallies_.zero(queue);
  PlaceRange* const root = lists.room(queue, 0, 1);
  const PlaceRange all{0, keys.count - 1};
  upload_bytes(queue, root, &all, sizeof all);
  Level level{keys, nodes, leaf, 0, false, root, 1, {tallies_.data()}};
  for (; level.number < levels; ++level.number, level.tally.to += VisitTally::words) {
    level.last = level.number + 1 == levels;
    TreeLevel own;
    own.slots = level.slots;
    report.levels.push_back(own);
    divide(queue, level, lists);
    report.slots += own.slots;
    report.storage_used = std::max(report.storage_used, own.slots + (level.last ? 0 : level.slots));
    report.counts.blocks += volume(row_shape(own.slots).blocks);
  }
  report.launches = report.levels.size();
  report.kept = std::min(report.levels.size(), static_cast<std::size_t>(lists.kept()));
  const auto tallies = tallies_.download(queue);
  Counts& counts = report.counts;
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const std::uint64_t* tally = &tallies[i * VisitTally::words];
    for (int made = 0; made < 3; ++made) {
      report.levels[i].made[made] = tally[VisitTally::made + made];
      report.levels[i].nodes += tally[VisitTally::made + made];
    }
    counts.useful += report.levels[i].nodes;
    counts.warps_full += tally[VisitTally::warps_full];
    counts.warps_partial += tally[VisitTally::warps_partial];
    counts.blocks_useful += tally[VisitTally::blocks];
  }
  return report;
}

}  // namespace warploom
