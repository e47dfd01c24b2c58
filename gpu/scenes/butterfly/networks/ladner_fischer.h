#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// The upper half of every block adds the last element of the lower: least depth with half the work, one source for
/// many. Source: ladner1980prefix.
struct LadnerFischer : InPlaceNetwork {
  static constexpr NetworkInfo info{"ladner_fischer", "Ladner-Fischer",
                                    "half a block adds the last of the other half: one source for many",
                                    "ladner1980prefix"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n) << (n - 1); }
  WARPLOOM_HD constexpr bool makes(int j, std::uint32_t e) const { return digit(e, j); }
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    return k == 0 ? (e >> (j - 1) << (j - 1)) - 1 : e;
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int j, std::uint32_t e, int k) const {
    const std::uint32_t h = 1u << (j - 1);
    return k == 0 && (e & (2 * h - 1)) == h - 1 ? e + h : no_element;
  }
};

}  // namespace warploom
