#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// lambda as a loop over the digits of the block's index, the same in every thread.
struct LambdaSerial {
  static constexpr MapInfo info{"lambda_serial", "\u03bb(\u03c9), serial", "a loop over the block's digits",
                                "navarro2020fractals"};

  static MapTable table(const FractalDomain&, int) { return {}; }

  template <class Group>
  WARPLOOM_HD static Index2 place(Group&, const FractalDomain& domain, int digits, const std::uint32_t*, Index3 block) {
    return domain.lambda(block.x, block.y, digits);
  }
};

}  // namespace warploom
