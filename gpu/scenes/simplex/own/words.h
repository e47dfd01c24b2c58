#pragma once
#include "gpu/own/words.h"
#include "gpu/scenes/simplex/maps/domain.h"

namespace warploom::own {

/// The simplex, and the blocks that it is served in; cells and blocks in the domain's own coordinates.
struct Domain {
  unsigned n = 1, n_y = 1;            ///< cells a side
  unsigned blocks = 1, blocks_y = 1;  ///< blocks a side
  Count rho, rho_y;                   ///< cells a side of a block
  int dimensions = 2;
  bool corner = false;  ///< x + y + z < n; else x <= y < n, or x <= y <= z < n

  Domain() = default;
  template <int Dimensions>
  WARPLOOM_HD explicit Domain(const SimplexDomain<Dimensions>& of)
      : n(of.n),
        n_y(of.n),
        blocks(of.blocks),
        blocks_y(of.blocks),
        rho{of.rho},
        rho_y{of.rho},
        dimensions(Dimensions),
        corner(of.corner) {}

  WARPLOOM_HD bool holds(Place cell) const { return is_inside(cell, n); }
  WARPLOOM_HD bool holds_block(Place b) const { return is_inside(b, blocks); }

 private:
  WARPLOOM_HD bool is_inside(Place at, unsigned side) const {
    if (dimensions == 2) return at.z == 0 && at.x <= at.y && at.y < side;
    // No sum that could wrap.
    if (corner) return at.x < side && at.y < side - at.x && at.z < side - at.x - at.y;
    return at.x <= at.y && at.y <= at.z && at.z < side;
  }
};

}  // namespace warploom::own
