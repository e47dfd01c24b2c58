#pragma once
#include "gpu/scenes/irregular/tree/levels.h"
#include "gpu/scenes/irregular/tree/list.h"

namespace warploom {

/// Trees that are made level by level: a launch each, of a thread a slot.
class TreeByLevels : public TreeStrategy {
 public:
  TreeReport build(Queue& queue, const TreeKeys& keys, const TreeNodes& nodes, std::uint32_t leaf,
                   LevelLists& lists) final;
  std::uint64_t bytes() const override { return deepest_.bytes() + tallies_.bytes(); }

 protected:
  explicit TreeByLevels(Backend backend)
      : deepest_(backend, 1), tallies_(backend, std::uint64_t{most_tree_levels} * VisitTally::words) {}

  /// A level and where its nodes are.
  struct Level {
    TreeKeys keys;
    TreeNodes nodes;
    std::uint32_t leaf;
    int number;
    bool last;
    const PlaceRange* in;
    std::uint64_t slots;
    VisitTally tally;
  };
  /// Divides the nodes of a level; `in` and `slots` become those of the next.
  virtual void divide(Queue& queue, Level& level, LevelLists& lists) = 0;

 private:
  Buffer<std::uint32_t> deepest_;
  Buffer<std::uint64_t> tallies_;  ///< (levels, VisitTally::words)
};

}  // namespace warploom
