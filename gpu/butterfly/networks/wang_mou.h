#pragma once
#include "gpu/butterfly/network.h"

namespace warploom {

/// Two adjacent blocks become one: each equation loses the unknown across the seam, by the two equations beside it.
/// Source: wang1991divide.
struct WangMou : StayingNetwork {
  static constexpr int operands = 3;
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr NetworkStage stage(int j) const { return {j, j}; }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  /// Before the seam, own, behind the seam; each element once.
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    const std::uint32_t seam = (e & ~((1u << j) - 1)) + (1u << (j - 1)) - 1;
    if (k == 0) return seam == e ? no_element : seam;
    if (k == 1) return e;
    return seam + 1 == e ? no_element : seam + 1;
  }
};

}  // namespace warploom
