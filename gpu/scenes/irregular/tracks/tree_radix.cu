#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/tree/list.h"
#include "gpu/scenes/irregular/tree/radix.h"

namespace warploom {

namespace {

/// All nodes in one launch: each thread finds the ends of its own by comparing codes.
class RadixTree final : public TreeStrategy {
 public:
  explicit RadixTree(Backend backend) : tally_(backend, VisitTally::words) {}
  std::uint64_t bytes() const override { return tally_.bytes(); }

  TreeReport build(Queue& queue, const TreeKeys& keys, const TreeNodes& nodes, std::uint32_t leaf,
                   LevelLists& lists) override {
    TreeReport report;
    lists.begin();
    if (keys.count < 2) return report;
    report.slots = report.storage_used = keys.count - 1;
    report.launches = 1;
    const LaunchShape shape = row_shape(report.slots);
    Counts& counts = report.counts;
    counts.blocks = volume(shape.blocks);
    // Where a leaf has one point, all nodes are kept.
    const bool drops = leaf > 1;
    if (drops) tally_.zero(queue);
    launch("tree.nodes", queue, shape, FindRadixNodes{keys, nodes, leaf, {drops ? tally_.data() : nullptr}});
    if (!drops) {
      counts.useful = report.slots;
      counts.blocks_useful = counts.blocks;
      counts.warps_full = report.slots / warp_size;
      counts.warps_partial = report.slots % warp_size ? 1 : 0;
      return report;
    }
    const auto tally = tally_.download(queue);
    for (int made = 0; made < 3; ++made)
      counts.useful += tally[std::size_t{VisitTally::made} + static_cast<std::size_t>(made)];
    counts.warps_full = tally[VisitTally::warps_full];
    counts.warps_partial = tally[VisitTally::warps_partial];
    counts.blocks_useful = tally[VisitTally::blocks];
    return report;
  }

 private:
  Buffer<std::uint64_t> tally_;
};

}  // namespace

TreeKind radix_tree() {
  return {{"radix", "radix", "", "", "", "Radix",
           "all nodes in one launch: each thread finds the range of its node by comparing codes", "karras2012trees"},
          false,
          [](Backend backend, int) -> std::unique_ptr<TreeStrategy> { return std::make_unique<RadixTree>(backend); }};
}

}  // namespace warploom
