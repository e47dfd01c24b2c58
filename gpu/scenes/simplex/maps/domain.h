#pragma once
#include <cstdint>

#include "gpu/core/divider.h"
#include "gpu/core/types.h"
#include "gpu/scenes/simplex/maps/counts.h"

namespace warploom {

/// A simplex of cells, cut into blocks of rho cells per side [navarro2016tetrahedra]:
///   two dimensions    triangle               0 <= x <= y < n
///   three dimensions  stacked tetrahedron    0 <= x <= y <= z < n
///                     corner tetrahedron     x + y + z < n
/// The shear (x, y, z) -> (x, x + y, x + y + z) maps the corner tetrahedron onto the stacked one, cells and blocks
/// alike. Every block of the block simplex has a cell; blocks at its faces are partly outside.
template <int Dimensions>
struct SimplexDomain {
  static constexpr int dimensions = Dimensions;

  std::uint32_t n = 1;       ///< cells per side
  std::uint32_t blocks = 1;  ///< blocks per side, ceil(n / rho)
  Divider rho;               ///< cells per side of a block
  bool corner = false;       ///< the corner tetrahedron

  SimplexDomain() = default;
  constexpr SimplexDomain(std::uint32_t side, std::uint32_t block, bool is_corner)
      : n(side), blocks((side + block - 1) / block), rho(block), corner(is_corner) {}

  WARPLOOM_HD std::uint64_t cells() const { return simplex_number<Dimensions>(n); }
  WARPLOOM_HD std::uint64_t block_count() const { return simplex_number<Dimensions>(blocks); }
  /// The box around it, in cells.
  WARPLOOM_HD Index3 extent() const { return {n, n, Dimensions == 3 ? n : 1}; }
  WARPLOOM_HD Index3 block_extent() const { return {rho.divisor, rho.divisor, Dimensions == 3 ? rho.divisor : 1}; }

  WARPLOOM_HD bool contains(Cell cell) const { return holds(cell, n); }
  WARPLOOM_HD bool contains_block(Index3 block) const { return holds(block, blocks); }
  /// Whether the neighbour of a block of the domain is inside, too; steps from -1 to 1. Known steps cost a comparison.
  WARPLOOM_HD bool beside(Index3 block, int x, int y, int z) const {
    const auto bx = static_cast<std::int32_t>(block.x) + x, by = static_cast<std::int32_t>(block.y) + y,
               bz = static_cast<std::int32_t>(block.z) + z, side = static_cast<std::int32_t>(blocks);
    if (x < 0 && bx < 0) return false;
    if constexpr (Dimensions == 2) return !(x > y && bx > by) && !(y > 0 && by >= side);
    if (corner) return !(y < 0 && by < 0) && !(z < 0 && bz < 0) && !(x + y + z > 0 && bx + by + bz >= side);
    return !(x > y && bx > by) && !(y > z && by > bz) && !(z > 0 && bz >= side);
  }
  /// Every cell of the block that begins at `origin` lies inside.
  WARPLOOM_HD bool whole(Cell origin) const { return whole_box(origin, rho.divisor, n, corner); }
  /// ... of a box of `side` cells per side.
  WARPLOOM_HD static bool whole_box(Cell origin, std::uint32_t side, std::uint32_t n, bool corner) {
    const std::uint32_t more = side - 1;
    if constexpr (Dimensions == 2) return origin.x + more <= origin.y && origin.y + more < n;
    if (corner) return origin.x + origin.y + origin.z + 3 * more < n;
    return origin.x + more <= origin.y && origin.y + more <= origin.z && origin.z + more < n;
  }

  /// Cells inside from `cell` on along its row, 0 where it is outside; wrapped coordinates below zero are allowed.
  /// Sides below 2^31.
  WARPLOOM_HD std::int32_t row_left(Cell cell) const {
    const auto x = static_cast<std::int32_t>(cell.x);
    const std::int32_t left = row_cells(cell) - x;
    return left > 0 ? left : 0;
  }
  /// All cells of the row of `cell`.
  WARPLOOM_HD std::int32_t row_cells(Cell cell) const {
    const auto y = static_cast<std::int32_t>(cell.y), z = static_cast<std::int32_t>(cell.z),
               side = static_cast<std::int32_t>(n);
    if constexpr (Dimensions == 2) return y >= 0 && y < side ? y + 1 : 0;
    if (corner) return y >= 0 && z >= 0 && side - y - z > 0 ? side - y - z : 0;
    return y >= 0 && y <= z && z < side ? y + 1 : 0;
  }

  /// From own coordinates of a cell or block to stacked ones, and back.
  WARPLOOM_HD Index3 stacked(Index3 at) const { return corner ? Index3{at.x, at.x + at.y, at.x + at.y + at.z} : at; }
  WARPLOOM_HD Index3 unstacked(Index3 at) const { return corner ? Index3{at.x, at.y - at.x, at.z - at.y} : at; }

  /// Linear number T(z) + t(y) + x of the stacked cell or block; and back.
  WARPLOOM_HD std::uint64_t index(Index3 at) const { return simplex_index<Dimensions>(stacked(at)); }
  WARPLOOM_HD Index3 at(std::uint64_t index) const { return unstacked(simplex_place<Dimensions>(index)); }

  WARPLOOM_HD Index3 block_of(Cell cell) const {
    return {rho.quotient(cell.x), rho.quotient(cell.y), Dimensions == 3 ? rho.quotient(cell.z) : 0};
  }
  WARPLOOM_HD Cell first_cell(Index3 block) const {
    return {block.x * rho.divisor, block.y * rho.divisor, block.z * rho.divisor};
  }

 private:
  WARPLOOM_HD bool holds(Index3 at, std::uint32_t side) const {
    if constexpr (Dimensions == 2) return at.x <= at.y && at.y < side && at.z == 0;
    // No sum that could wrap.
    if (corner) return at.x < side && at.y < side - at.x && at.z < side - at.x - at.y;
    return at.x <= at.y && at.y <= at.z && at.z < side;
  }
};

}  // namespace warploom
