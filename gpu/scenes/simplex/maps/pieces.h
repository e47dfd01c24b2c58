#pragma once
#include "gpu/scenes/simplex/maps/simplex_map.h"

namespace warploom {

/// n_b = p + q with p the largest power of two, repeatedly: triangles of powers of two down the diagonal, and below
/// each the rectangle of the rest of its columns.
struct TrianglePiece {
  std::uint32_t at = 0;     ///< first row and column of the triangle
  std::uint32_t side = 1;   ///< a power of two
  std::uint32_t below = 0;  ///< rows of the rectangle of `side` columns below it
};

/// The piece that holds column x of a triangle of so many blocks per side, and its number.
WARPLOOM_HD TrianglePiece piece_of_column(std::uint32_t blocks, std::uint32_t x, int& number) {
  TrianglePiece piece{0, 1u << floor_log2(blocks), 0};
  number = 0;
  while (x >= piece.at + piece.side) {
    piece.at += piece.side;
    piece.side = 1u << floor_log2(blocks - piece.at);
    ++number;
  }
  piece.below = blocks - piece.at - piece.side;
  return piece;
}

/// Pieces of a triangle, from the top.
template <class Body>
void each_piece(std::uint32_t blocks, Body&& body) {
  for (std::uint32_t at = 0; at < blocks;) {
    const std::uint32_t side = 1u << floor_log2(blocks - at);
    body(TrianglePiece{at, side, blocks - at - side});
    at += side;
  }
}

/// A launch of a placing by pieces: its grid, and the three words that its blocks look up.
struct PieceLaunch {
  Index3 grid;
  std::uint32_t words[3];
};

/// What placings by pieces have in common. `static void each_launch(std::uint32_t blocks, Body&&)` of a `Placing` calls
/// body(PieceLaunch) for each of its launches in turn.
template <class Placing>
struct PiecewisePlacing : TrianglePlacing {
  std::uint32_t blocks;
  const std::uint32_t* words;  ///< table()
  WARPLOOM_HD PiecewisePlacing(std::uint32_t blocks_a_side, const std::uint32_t* table)
      : blocks(blocks_a_side), words(table) {}

  int launches() const {
    int count = 0;
    Placing::each_launch(blocks, [&](const PieceLaunch&) { ++count; });
    return count;
  }
  Index3 grid(int launch) const {
    Index3 grid;
    Placing::each_launch(blocks, [&](const PieceLaunch& own) {
      if (launch-- == 0) grid = own.grid;
    });
    return grid;
  }
  static MapTable table(std::uint32_t blocks) {
    MapTable all;
    Placing::each_launch(blocks, [&](const PieceLaunch& own) { all.insert(all.end(), own.words, own.words + 3); });
    return all;
  }
  static double table_bytes(std::uint32_t blocks) { return 4. * static_cast<double>(table(blocks).size()); }
};

}  // namespace warploom
