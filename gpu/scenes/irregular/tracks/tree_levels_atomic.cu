#include <algorithm>

#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/tracks/tree_levels.h"

namespace warploom {

namespace {

/// Each node is appended to the next list, in any order.
class AppendedLevels final : public TreeByLevels {
 public:
  explicit AppendedLevels(Backend backend) : TreeByLevels(backend) {}

 private:
  void divide(Queue& queue, Level& level, LevelLists& lists) override {
    const std::uint64_t slots = level.slots;
    // Nodes of a level share no point.
    const std::uint64_t most = std::min<std::uint64_t>(2 * slots, level.keys.count / (level.leaf + 1));
    PlaceRange* out = lists.room(queue, level.number + 1, level.last ? 0 : most);
    launch("tree.level", queue, row_shape(slots),
           AppendNodes{level.keys, level.nodes, level.leaf, level.number, level.in, slots, out, level.tally});
    if (level.last) return;
    download_bytes(queue, &level.slots, level.tally.to + VisitTally::appended, sizeof level.slots);
    level.in = out;
  }
};

}  // namespace

TreeKind levels_atomic_tree() {
  return {
      {"levels/atomic", "levels", "atomic", "", "", "Levels",
       "a launch per level, a thread per node, which appends what it makes to the next list: an atomic per warp",
       "lauterbach2009bvh"},
      true,
      [](Backend backend, int) -> std::unique_ptr<TreeStrategy> { return std::make_unique<AppendedLevels>(backend); }};
}

}  // namespace warploom
