#pragma once
#include "gpu/maps/simplex/root.h"

namespace warploom {

/// A float root, then integer steps: right for every block below 2^62.
struct ExactRoot {
  static constexpr MapInfo info{"root_exact", "Root, exact", "square and cube roots, mended by integer steps",
                                "navarro2016tetrahedra"};
  /// Both in one, 32 bits wide where that is enough.
  template <int Dimensions>
  WARPLOOM_HD static void place(std::uint64_t w, Index3& block) {
    block = simplex_place<Dimensions>(w);
  }
  static RootStep explain_layer(std::uint64_t w);
  static RootStep explain_row(std::uint64_t w);
};

}  // namespace warploom
