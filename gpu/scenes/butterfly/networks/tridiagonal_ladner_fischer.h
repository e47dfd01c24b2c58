#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Every element keeps the first and the last equation of the block that ends with it; merged forward as in a scan,
/// which ends in Thomas' coefficients, and an affine scan from the right. Source: lobeiras2015bplg.
struct TridiagonalLadnerFischer : InPlaceNetwork {
  static constexpr NetworkInfo info{"ladner_fischer", "Ladner-Fischer",
                                    "block ends merged as in a scan, and an affine scan back", "lobeiras2015bplg"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return 2 * n; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n) << n; }
  WARPLOOM_HD constexpr bool makes(int stage, std::uint32_t e) const {
    return stage <= n ? digit(e, stage) : !digit(e, stage - n);
  }
  /// Forward the last of the block before, and own; back own, and the first of the block behind.
  WARPLOOM_HD constexpr std::uint32_t partner(int stage, std::uint32_t e, int k) const {
    if (stage <= n) return k == 0 ? (e >> (stage - 1) << (stage - 1)) - 1 : e;
    const int j = stage - n;
    return k == 0 ? e : ((e >> (j - 1)) + 1) << (j - 1);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int stage, std::uint32_t e, int k) const {
    const std::uint32_t h = 1u << ((stage <= n ? stage : stage - n) - 1), in_block = e & (2 * h - 1);
    if (stage <= n) return k == 0 && in_block == h - 1 ? e + h : no_element;
    return k == 1 && in_block == h ? e - h : no_element;
  }
};

}  // namespace warploom
