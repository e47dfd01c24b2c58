#pragma once
#include "gpu/own/words.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom::own {

/// The fractal, and the blocks that it is served in. Levels are `int`, so that a loop over them unrolls; what is
/// divided by is a Count.
struct Domain {
  unsigned n = 1, n_y = 1;            ///< cells a side, along x and y
  unsigned blocks = 1, blocks_y = 1;  ///< blocks a side
  Count rho, rho_y;                   ///< cells a side of a block
  int dimensions = 2;
  int level = 0;   ///< of the fractal of cells: n = s^level
  int levels = 0;  ///< of the fractal of blocks: blocks = s^levels
  Count s, s_y, k;
  const FractalDomain* fractal = nullptr;  ///< ours

  Domain() = default;
  WARPLOOM_HD Domain(const FractalDomain& of, int block_digits)
      : n(of.extent.x),
        n_y(of.extent.y),
        blocks(of.power_x[of.level - block_digits].divisor),
        blocks_y(of.power_y[of.level - block_digits].divisor),
        rho{of.power_x[block_digits]},
        rho_y{of.power_y[block_digits]},
        level(of.level),
        levels(of.level - block_digits),
        s{of.power_x[1]},
        s_y{of.power_y[1]},
        k{of.power_k[1]},
        fractal(&of) {}

  /// Where copy b stands in the mask.
  WARPLOOM_HD Place copy(unsigned b) const {
    const Index2 at = fractal->box(b);
    return {at.x, at.y, 0};
  }
  WARPLOOM_HD bool holds(Place cell) const { return cell.z == 0 && fractal->contains({cell.x, cell.y, 0}); }
  WARPLOOM_HD bool holds_block(Place b) const {
    // Not `blocks`: a step whose answers are not tested would load it all the same.
    return b.z == 0 && b.x < fractal->power_x[levels].divisor && b.y < fractal->power_y[levels].divisor &&
           fractal->member(b.x, b.y, levels);
  }
};

}  // namespace warploom::own
