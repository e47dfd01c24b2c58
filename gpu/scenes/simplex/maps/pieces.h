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

}  // namespace warploom
