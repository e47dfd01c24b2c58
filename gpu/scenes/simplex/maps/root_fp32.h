#pragma once
#include "gpu/core/rounded.h"
#include "gpu/scenes/simplex/maps/root.h"

namespace warploom {

/// The published roots in single precision, not mended: equations 14 and 16. Meant to be wrong.
struct SingleRoot {
  static constexpr MapInfo info{"root_fp32", "Root, fp32",
                                "the printed roots in single precision: wrong from some block on",
                                "navarro2016tetrahedra", false};
  static constexpr std::uint64_t first_wrong[2] = {10619135, 10};  ///< in two and three dimensions, on a CPU
  WARPLOOM_HD static bool row(std::uint64_t w, std::uint32_t& y) {
    y = static_cast<std::uint32_t>(floorf(sqrtf(.25f + 2 * static_cast<float>(w)) - .5f));
    return true;
  }
  WARPLOOM_HD static float layer_value(std::uint64_t w) {
    const float v = static_cast<float>(w), s = sqrtf(729 * v * v - 3) + 27 * v, c = cbrtf(s);
    return c * .48074985f + .69336127f / c - 1;
  }
  /// Equation 14 is not a number at w = 0.
  WARPLOOM_HD static bool layer(std::uint64_t w, std::uint32_t& z) {
    const float value = w ? floorf(layer_value(w)) : 0;
    z = static_cast<std::uint32_t>(value);
    return value >= 0 && value < 4e6f;
  }
  static RootStep explain_layer(std::uint64_t w);
  static RootStep explain_row(std::uint64_t w);
};

}  // namespace warploom
