#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Two adjacent blocks become one: each equation loses the unknown across the seam, by the two equations beside it.
/// Source: wang1991divide.
struct WangMou : InPlaceNetwork {
  static constexpr NetworkInfo info{"wang_mou", "Wang-Mou", "two blocks become one across their seam",
                                    "wang1991divide"};
  static constexpr int operands = 3;
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr NetworkStage stage(int j) const { return {j, j}; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n) << n; }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  /// Before the seam, own, behind the seam; each element once.
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    const std::uint32_t seam = before_seam(j, e);
    if (k == 0) return seam == e ? no_element : seam;
    if (k == 1) return e;
    return seam + 1 == e ? no_element : seam + 1;
  }
  /// The ends of both blocks: beside the seam is who all of both take.
  WARPLOOM_HD constexpr std::uint32_t consumer(int j, std::uint32_t e, int k) const {
    const std::uint32_t seam = before_seam(j, e), h = 1u << (j - 1), other = k == 0 ? seam + h : seam + 1 - h;
    return (e == seam || e == seam + 1) && other != e ? other : no_element;
  }
  WARPLOOM_HD constexpr std::uint32_t before_seam(int j, std::uint32_t e) const {
    return (e & ~((1u << j) - 1)) + (1u << (j - 1)) - 1;
  }
};

}  // namespace warploom
