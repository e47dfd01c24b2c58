#include "gpu/core/launch.h"
#include "gpu/core/scan.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/irregular/tracks/tree_levels.h"

namespace warploom {

namespace {

/// Every so many levels nodes are brought together by a scan; between them each has room for two, made or not.
class ScannedLevels final : public TreeByLevels {
 public:
  ScannedLevels(Backend backend, int every) : TreeByLevels(backend), every_(every), scratch_(backend) {}
  std::uint64_t bytes() const override {
    return TreeByLevels::bytes() + splits_.bytes() + makes_.bytes() + offsets_.bytes() + scratch_.size();
  }

 private:
  void divide(Queue& queue, Level& level, LevelLists& lists) override {
    const std::uint64_t slots = level.slots;
    const int next = level.number + 1;
    const bool compacts = next % every_ == 0, spreads = !compacts && !level.last;
    if (!spreads && makes_.size() < slots) {
      splits_ = {}, makes_ = {}, offsets_ = {};
      splits_ = Buffer<std::uint32_t>(queue.backend(), slots);
      makes_ = Buffer<std::uint32_t>(queue.backend(), slots);
      offsets_ = Buffer<std::uint32_t>(queue.backend(), slots + 1);
    }
    PlaceRange* out = spreads ? lists.room(queue, next, 2 * slots) : nullptr;
    launch("tree.level", queue, row_shape(slots),
           DivideSlots{level.keys, level.nodes, level.leaf, level.number, level.in, slots, out, splits_.data(),
                       makes_.data(), level.tally});
    if (level.last) return;
    level.slots = 2 * slots;
    if (compacts) {
      TimedSpan span(queue, "tree.compact", 0);
      exclusive_scan("tree.compact", queue, makes_.data(), slots, 2, offsets_.data(), scratch_);
      std::uint32_t made = 0;
      download_bytes(queue, &made, offsets_.data() + slots, sizeof made);
      level.slots = made;
      out = lists.room(queue, next, made);
      launch_items("tree.compact", queue, slots,
                   CompactNodes{level.in, splits_.data(), offsets_.data(), level.leaf, out});
      span.finish();
    }
    level.in = out;
  }

  int every_;
  Buffer<std::uint32_t> splits_, makes_, offsets_;
  Scratch scratch_;
};

}  // namespace

TreeKind levels_scan_tree() {
  return {
      {"levels/scan", "levels", "scan", "", "", "Levels",
       "a launch per level, a thread per node; a scan brings the nodes of the next level together", "zhou2008kdtrees"},
      true,
      [](Backend backend, int every) -> std::unique_ptr<TreeStrategy> {
        return std::make_unique<ScannedLevels>(backend, every);
      }};
}

}  // namespace warploom
