#pragma once
#include "gpu/scenes/simplex/maps/pieces.h"

namespace warploom {

/// Squares of halving side, launch after launch, then the diagonal [ries2009triangular]; for sides that are not a power
/// of two, piece by piece with a rectangle beside each. No waste, log2 n_b launches a piece.
struct RecursivePlacing : TrianglePlacing {
  static constexpr MapInfo info{"recursive", "Recursive", "squares of halving side, a launch each, then the diagonal",
                                "ries2009triangular"};

  /// A launch: a column of `count` boxes of width x height blocks, each `stride` further down and right.
  struct Boxes {
    std::uint32_t x = 0, y = 0, stride = 0, width = 1, height = 1, count = 1;
  };

  std::uint32_t blocks;
  const std::uint32_t* boxes;  ///< three words per launch: x, y, stride
  WARPLOOM_HD RecursivePlacing(std::uint32_t blocks_a_side, const std::uint32_t* table)
      : blocks(blocks_a_side), boxes(table) {}

  int launches() const {
    int count = 0;
    each_launch(blocks, [&](const Boxes&) { ++count; });
    return count;
  }
  Index3 grid(int launch) const {
    Index3 grid;
    each_launch(blocks, [&](const Boxes& boxes_of) {
      if (launch-- == 0) grid = {boxes_of.width, boxes_of.height, boxes_of.count};
    });
    return grid;
  }

  WARPLOOM_HD bool place(int launch, Index3 at, int, Index3& block) const {
    const int first = 3 * launch;
    const std::uint32_t* own = boxes + first;
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

  static MapTable table(std::uint32_t blocks) {
    MapTable all;
    each_launch(blocks, [&](const Boxes& own) { all.insert(all.end(), {own.x, own.y, own.stride}); });
    return all;
  }
  static double table_bytes(std::uint32_t blocks) { return 4. * static_cast<double>(table(blocks).size()); }
  static Formula explain(const SimplexQuestion& question);

 private:
  template <class Body>
  static void each_launch(std::uint32_t blocks, Body&& body) {
    each_piece(blocks, [&](const TrianglePiece& piece) {
      if (piece.below) body(Boxes{piece.at, piece.at + piece.side, 0, piece.side, piece.below, 1});
      for (std::uint32_t half = piece.side / 2; half > 0; half /= 2)
        body(Boxes{piece.at, piece.at + half, 2 * half, half, half, piece.side / (2 * half)});
      body(Boxes{piece.at, piece.at, 1, 1, 1, piece.side});
    });
  }
};

}  // namespace warploom
