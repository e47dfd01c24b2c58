#pragma once
#include "gpu/core/rounded.h"
#include "gpu/scenes/simplex/maps/root.h"

namespace warploom {

/// The root as published code has it: the inverse root's instruction and a shifted offset. Meant to be wrong.
struct InverseRoot {
  static constexpr MapInfo info{"root_rsqrt", "Root, rsqrt",
                                "an approximate inverse root with offset 0.4999: wrong from some block on",
                                "navarro2014triangles", false};
  static constexpr std::uint64_t first_wrong[2] = {3796389, 0};  ///< in two and three dimensions, on a CPU
  WARPLOOM_HD static bool row(std::uint64_t w, std::uint32_t& y) {
    const float a = .25f + 2 * static_cast<float>(w);
    y = static_cast<std::uint32_t>(floorf(fused_multiply_add(a, inverse_square_root(a), -.4999f)));
    return true;
  }
  static RootStep explain_row(std::uint64_t w);
};

}  // namespace warploom
