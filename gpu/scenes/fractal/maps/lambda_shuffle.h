#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// lambda with one digit a lane and a warp-shuffle sum: O(log log n) steps [navarro2020fractals, section 3.3]. With
/// fewer live lanes than digits, a lane sums several. Every warp of the block computes it; no barrier.
struct LambdaShuffle {
  static constexpr MapInfo info{"lambda_shuffle", "\u03bb(\u03c9), shuffle", "one digit a lane, a warp sum",
                                "navarro2020fractals"};

  static MapTable table(const FractalDomain&, int) { return {}; }

  template <class Group>
  WARPLOOM_HD static Index2 place(Group& group, const FractalDomain& domain, int digits, const std::uint32_t*,
                                  Index3 block) {
    const auto items = static_cast<unsigned>(digits);
    // Two coordinates travel in one word while they fit: half the shuffles.
    const bool fits = domain.power_x[digits].divisor <= 65536 && domain.power_y[digits].divisor <= 65536;
    typename Group::template PerThread<std::uint32_t> x, y;
    // ---- each lane: the summands of its digits -------------------------------------------------------------------
    group.each_in_warp([&](const WarpLane& lane) {
      std::uint32_t sum_x = 0, sum_y = 0;
      for (int i = static_cast<int>(lane.index); i < digits; i += static_cast<int>(lane.live)) {
        const Index2 tau = domain.box(domain.block_digit(block, i));
        sum_x += tau.x * domain.power_x[i].divisor;
        sum_y += tau.y * domain.power_y[i].divisor;
      }
      x[lane] = fits ? sum_x | sum_y << 16 : sum_x;
      y[lane] = sum_y;
    });
    // ---- the warp: their sum, the same in every lane --------------------------------------------------------------
    const std::uint32_t sum = group.warp_sum(x, items);
    if (fits) return {sum & 0xffffu, sum >> 16};
    return {sum, group.warp_sum(y, items)};
  }
};

}  // namespace warploom
