#pragma once
#include "gpu/scenes/simplex/maps/root.h"

namespace warploom {

/// A float root, then integer steps: right for every block below 2^62.
struct ExactRoot {
  static constexpr MapInfo info{"root_exact", "Root, exact", "square and cube roots, mended by integer steps",
                                "navarro2016tetrahedra"};
  /// 32 bits wide where that is enough for all numbers below `end`.
  template <int Dimensions>
  WARPLOOM_HD static void place(std::uint64_t w, std::uint64_t end, Index3& block) {
    block = simplex_place<Dimensions>(w, end);
  }
  static RootStep explain_layer(std::uint64_t w);
  static RootStep explain_row(std::uint64_t w);
};

}  // namespace warploom
