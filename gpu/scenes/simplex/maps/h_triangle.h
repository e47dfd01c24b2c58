#pragma once
#include <algorithm>

#include "gpu/scenes/simplex/maps/pieces.h"

namespace warploom {

/// H of a triangle whose side n is a power of two from 2 on [navarro2023simplex]: a grid of n/2 x (n + 1).
struct HTriangle {
  WARPLOOM_HD static Index3 place(std::uint32_t n, Index3 at) {
    if (at.y == n) return {at.x + n / 2, n - 1, 0};
    const int h = floor_log2(at.y + 1);
    const std::uint32_t q = at.x >> h << h;
    return {at.x + q, at.y + 2 * q, 0};
  }
  WARPLOOM_HD static Index3 find(std::uint32_t n, Index3 block) {
    if (block.y == n - 1 && block.x >= n / 2) return {block.x - n / 2, n, 0};
    // The highest bit in which x and y + 1 differ is h; above it both have the bits of q.
    const int h = floor_log2(block.x ^ (block.y + 1));
    const std::uint32_t q = block.x >> (h + 1) << h;
    return {block.x - q, block.y - 2 * q, 0};
  }
};

/// H on a triangle of any side: a launch for each piece of a power of two, and for the rectangle below it. No waste.
struct HTrianglePlacing : PiecewisePlacing<HTrianglePlacing> {
  static constexpr MapInfo info{"h_map", "H map", "integers and a leading-zero count only, no waste",
                                "navarro2023simplex"};
  using PiecewisePlacing::PiecewisePlacing;

  WARPLOOM_HD bool place(int launch, Index3 at, int, Index3& block) const {
    const int first = 3 * launch;
    const std::uint32_t* own = words + first;
    const std::uint32_t side = own[2];
    block = side > 1 ? HTriangle::place(side, at) : at;
    block.x += own[0];
    block.y += own[1];
    return true;
  }

  WARPLOOM_HD bool find(Index3 block, Owner& who) const {
    int number = 0;
    const TrianglePiece piece = piece_of_column(blocks, block.x, number);
    // Every piece but the last has a rectangle after it.
    who.launch = 2 * number;
    const Index3 inside{block.x - piece.at, block.y - piece.at, 0};
    if (inside.y >= piece.side) {
      ++who.launch;
      who.block = {inside.x, inside.y - piece.side, 0};
    } else {
      who.block = piece.side > 1 ? HTriangle::find(piece.side, inside) : inside;
    }
    return true;
  }

  /// Words: where the launch begins, and the triangle's side; a rectangle's is 0.
  template <class Body>
  static void each_launch(std::uint32_t blocks, Body&& body) {
    each_piece(blocks, [&](const TrianglePiece& piece) {
      const std::uint32_t at = piece.at, side = piece.side;
      const std::uint32_t half = std::max(side / 2, 1u);
      body(PieceLaunch{{half, side == 1 ? 1 : side + 1, 1}, {at, at, side}});
      if (piece.below) body(PieceLaunch{{side, piece.below, 1}, {at, at + side, 0}});
    });
  }
  static Formula explain(const SimplexQuestion& question);
};

}  // namespace warploom
