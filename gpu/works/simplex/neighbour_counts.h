#pragma once
#include "gpu/maps/simplex/domain.h"

// How many of the places around cells lie inside a simplex, for four cells of a row at once: a byte each.

namespace warploom {

/// Of cells x to x + 3, each: how many of the three places around it lie in a row of so many cells.
WARPLOOM_HD std::uint32_t three_of_four(std::int32_t x, std::int32_t row_cells) {
  // By how far the row reaches past x - 1: 6 bytes and more are threes, each less takes one from the last that has any.
  const std::int32_t reach = row_cells - (x - 1), steps = reach < 0 ? 0 : reach > 6 ? 6 : reach;
  const auto bytes = static_cast<std::uint32_t>(0x0000010203030303ull >> (8 * (6 - steps)));
  return bytes - (x == 0);  // nothing lies before the first cell
}

/// Of one cell.
WARPLOOM_HD std::uint32_t three_of_one(std::int32_t x, std::int32_t row_cells) {
  const std::int32_t reach = row_cells - (x - 1), within = reach < 0 ? 0 : reach > 3 ? 3 : reach;
  return static_cast<std::uint32_t>(within) - (x == 0);
}

/// The rows above, at and below `cell`'s: rows of a plane, wherever they are.
template <int Dimensions, class Three>
WARPLOOM_HD std::uint32_t places_in_plane(const SimplexDomain<Dimensions>& domain, Cell cell, Three three) {
  std::uint32_t places = 0;
  for (std::uint32_t y = cell.y - 1; y != cell.y + 2; ++y)
    places += three(static_cast<std::int32_t>(cell.x), domain.row_cells({cell.x, y, cell.z}));
  return places;
}

/// All places around the cell, and one past each side of it, lie inside; of a box of cells that begins there.
template <int Dimensions>
WARPLOOM_HD bool deep_box(const SimplexDomain<Dimensions>& domain, Cell origin, std::uint32_t side) {
  if (origin.x == 0 || origin.y == 0 || (Dimensions == 3 && origin.z == 0)) return false;
  return SimplexDomain<Dimensions>::whole_box({origin.x - 1, origin.y - 1, origin.z - (Dimensions == 3)}, side + 2,
                                              domain.n, domain.corner);
}

}  // namespace warploom
