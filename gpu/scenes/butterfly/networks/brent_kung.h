#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Sums of blocks up a tree, then down it: least work, twice the depth. Source: brent1982adders.
struct BrentKung : InPlaceNetwork {
  static constexpr NetworkInfo info{"brent_kung", "Brent-Kung", "up a tree and down again: least work, twice the depth",
                                    "brent1982adders"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return 2 * n - 1; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    return (std::uint64_t{2} << n) - 2 - static_cast<std::uint64_t>(n);
  }
  WARPLOOM_HD constexpr bool makes(int stage, std::uint32_t e) const {
    const std::uint32_t h = half(stage);
    return stage <= n ? (e & (2 * h - 1)) == 2 * h - 1 : (e & (2 * h - 1)) == h - 1 && e >= 2 * h;
  }
  WARPLOOM_HD constexpr std::uint32_t partner(int stage, std::uint32_t e, int k) const {
    return k == 0 ? e - half(stage) : e;
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int stage, std::uint32_t e, int k) const {
    const std::uint32_t behind = e + half(stage);
    return k == 0 && behind < 1u << n && makes(stage, behind) ? behind : no_element;
  }

 private:
  /// Up by digits 1 to n, down by n - 1 to 1.
  WARPLOOM_HD constexpr std::uint32_t half(int stage) const {
    const int digit = stage <= n ? stage : 2 * n - stage;
    return digit > 0 ? 1u << (digit - 1) : 0;
  }
};

}  // namespace warploom
