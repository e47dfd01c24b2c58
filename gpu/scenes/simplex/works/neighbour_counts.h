#pragma once
#include "gpu/scenes/simplex/maps/domain.h"

// Counts the places around cells that lie inside a simplex, for four cells of a row at once: a byte each.

namespace warploom {

/// For each of cells x to x + 3: how many of the three places around it lie in a row of so many cells.
WARPLOOM_HD std::uint32_t three_of_four(std::int32_t x, std::int32_t row_cells) {
  // How far the row reaches past x - 1: from 6 on all are threes; each less takes one from the last nonzero byte.
  const std::int32_t reach = row_cells - (x - 1), steps = reach < 0 ? 0 : reach > 6 ? 6 : reach;
  const auto bytes = static_cast<std::uint32_t>(0x0000010203030303ull >> (8 * (6 - steps)));
  return bytes - (x == 0);  // nothing lies before the first cell
}

WARPLOOM_HD std::uint32_t three_of_one(std::int32_t x, std::int32_t row_cells) {
  const std::int32_t reach = row_cells - (x - 1), within = reach < 0 ? 0 : reach > 3 ? 3 : reach;
  return static_cast<std::uint32_t>(within) - (x == 0);
}

/// Over the rows above, at and below that of `cell`.
template <int Dimensions, class Three>
WARPLOOM_HD std::uint32_t places_in_plane(const SimplexDomain<Dimensions>& domain, Cell cell, Three three) {
  std::uint32_t places = 0;
  for (std::uint32_t y = cell.y - 1; y != cell.y + 2; ++y)
    places += three(static_cast<std::int32_t>(cell.x), domain.row_cells({cell.x, y, cell.z}));
  return places;
}

/// For four cells of a row of a tetrahedron: how many places around each lie in a plane, a byte each. In stacked
/// domains a row has the same cells in every plane that has it.
struct RowsAround {
  std::uint32_t before = 0, own = 0, after = 0;  ///< in the previous row, the cells' own, the next

  RowsAround() = default;
  WARPLOOM_HD RowsAround(const SimplexDomain<3>& domain, std::uint32_t x, std::uint32_t y) {
    if (domain.corner) return;
    const auto column = static_cast<std::int32_t>(x), row = static_cast<std::int32_t>(y);
    before = three_of_four(column, row);
    own = three_of_four(column, row + 1);
    after = three_of_four(column, row + 2);
  }
  /// In the plane of `cell`, the first of the four; a plane below zero wraps, and has none.
  WARPLOOM_HD std::uint32_t in_plane(const SimplexDomain<3>& domain, Cell cell) const {
    if (domain.corner) return places_in_plane(domain, cell, three_of_four);
    if (cell.z >= domain.n) return 0;
    return (cell.y <= cell.z + 1 ? before : 0) + (cell.y <= cell.z ? own : 0) + (cell.y < cell.z ? after : 0);
  }
};

/// A box of cells at `origin`, and the ring of places around it, lie inside.
template <int Dimensions>
WARPLOOM_HD bool deep_box(const SimplexDomain<Dimensions>& domain, Cell origin, std::uint32_t side) {
  if (origin.x == 0 || origin.y == 0 || (Dimensions == 3 && origin.z == 0)) return false;
  return SimplexDomain<Dimensions>::whole_box({origin.x - 1, origin.y - 1, origin.z - (Dimensions == 3)}, side + 2,
                                              domain.n, domain.corner);
}

}  // namespace warploom
