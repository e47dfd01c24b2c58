#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

/// A rectangle of ceil(n_b / 2) columns [jung2008packed]: the far half of the triangle is folded over, each far column
/// onto what its near column leaves free. No waste.
struct RectanglePlacing : TrianglePlacing {
  static constexpr MapInfo info{"rectangle", "Rectangle", "the far half folded over, no root and no waste",
                                "jung2008packed"};

  std::uint32_t blocks;
  WARPLOOM_HD RectanglePlacing(std::uint32_t blocks_a_side, const std::uint32_t*) : blocks(blocks_a_side) {}

  Index3 grid(int) const { return {(blocks + 1) / 2, blocks | 1, 1}; }

  /// An even side has one row more than the triangle, an odd one has a column that pairs with none.
  WARPLOOM_HD bool place(int, Index3 at, int, Index3& block) const {
    const std::uint32_t even = 1 - blocks % 2;
    if (at.y >= at.x + even)
      block = {at.x, at.y - even, 0};
    else
      block = {blocks - at.x - even, blocks - at.x - even + at.y, 0};
    return true;
  }

  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    const std::uint32_t even = 1 - blocks % 2;
    if (block.x < (blocks + 1) / 2)
      who.block = {block.x, block.y + even, 0};
    else
      who.block = {blocks - block.x - even, block.y - block.x, 0};
    return true;
  }

  static Formula explain(const SimplexQuestion& question);
};

}  // namespace warploom
