#pragma once
#include "gpu/scenes/simplex/maps/pieces.h"

namespace warploom {

/// Squares of halving side, launch after launch, then the diagonal [ries2009triangular]; for sides that are not a power
/// of two, piece by piece with a rectangle beside each. No waste, log2 n_b launches a piece.
struct RecursivePlacing : PiecewisePlacing<RecursivePlacing> {
  static constexpr MapInfo info{"recursive", "Recursive", "squares of halving side, a launch each, then the diagonal",
                                "ries2009triangular"};
  using PiecewisePlacing::PiecewisePlacing;

  WARPLOOM_HD bool place(int launch, Index3 at, int, Index3& block) const {
    const int first = 3 * launch;
    const std::uint32_t* own = words + first;
    const std::uint32_t along = at.z * own[2];
    block = {own[0] + at.x + along, own[1] + at.y + along, 0};
    return true;
  }

  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    // Launches of the pieces before: a rectangle where there is one, log2 side squares, the diagonal.
    std::uint32_t at = 0, side = 1u << floor_log2(blocks);
    who.launch = 0;
    while (block.x >= at + side) {
      who.launch += floor_log2(side) + 1 + (at + side < blocks);
      at += side;
      side = 1u << floor_log2(blocks - at);
    }
    const std::uint32_t x = block.x - at, y = block.y - at;
    const bool rectangle = at + side < blocks;
    if (y >= side) {
      who.block = {x, y - side, 0};
      return true;
    }
    who.launch += rectangle;
    if (x == y) {
      who.launch += floor_log2(side);
      who.block = {0, 0, x};
      return true;
    }
    const int bit = floor_log2(x ^ y);  // the square of side 2^bit between their halves
    const std::uint32_t in_square = (1u << bit) - 1;
    who.launch += floor_log2(side) - 1 - bit;
    who.block = {x & in_square, y & in_square, x >> (bit + 1)};
    return true;
  }

  /// Grids: a column of boxes of blocks; words: where the first is, and how much further down and right each next one.
  template <class Body>
  static void each_launch(std::uint32_t blocks, Body&& body) {
    each_piece(blocks, [&](const TrianglePiece& piece) {
      const std::uint32_t at = piece.at, side = piece.side;
      if (piece.below) body(PieceLaunch{{side, piece.below, 1}, {at, at + side, 0}});
      for (std::uint32_t half = side / 2; half > 0; half /= 2)
        body(PieceLaunch{{half, half, side / (2 * half)}, {at, at + half, 2 * half}});
      body(PieceLaunch{{1, 1, side}, {at, at, 1}});
    });
  }
  static Formula explain(const SimplexQuestion& question);
};

}  // namespace warploom
