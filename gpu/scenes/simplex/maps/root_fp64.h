#pragma once
#include "gpu/scenes/simplex/maps/root.h"

namespace warploom {

/// The published roots in double precision, not mended. Meant to be wrong, never by more than one.
struct DoubleRoot {
  static constexpr MapInfo info{"root_fp64", "Root, fp64",
                                "the printed roots in double precision: wrong from some block on",
                                "navarro2016tetrahedra", false};
  static constexpr std::uint64_t first_wrong[2] = {0, 56};  ///< in two and three dimensions, on a CPU
  WARPLOOM_HD static bool row(std::uint64_t w, std::uint32_t& y) {
    y = static_cast<std::uint32_t>(floor(sqrt(.25 + 2 * static_cast<double>(w)) - .5));
    return true;
  }
  WARPLOOM_HD static double layer_value(std::uint64_t w) {
    const double v = static_cast<double>(w), s = sqrt(729 * v * v - 3) + 27 * v, c = cbrt(s);
    return c / 2.0800838230519041 + 1 / (1.4422495703074083 * c) - 1;  // the cube roots of 9 and 3
  }
  WARPLOOM_HD static bool layer(std::uint64_t w, std::uint32_t& z) {
    const double value = w ? floor(layer_value(w)) : 0;
    z = static_cast<std::uint32_t>(value);
    return value >= 0 && value < 4e6;
  }
  static RootStep explain_layer(std::uint64_t w);
  static RootStep explain_row(std::uint64_t w);
};

}  // namespace warploom
