#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Every element adds the one 2^(j-1) before it: least depth, most work. Source: kogge1973recurrence.
struct KoggeStone : InPlaceNetwork {
  static constexpr NetworkInfo info{"kogge_stone", "Kogge-Stone",
                                    "every element adds the one 2^j before it: least depth, most work",
                                    "kogge1973recurrence"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    return static_cast<std::uint64_t>(n - 1) * (std::uint64_t{1} << n) + 1;
  }
  WARPLOOM_HD constexpr bool makes(int j, std::uint32_t e) const { return e >> (j - 1) != 0; }
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    return k == 0 ? e - (1u << (j - 1)) : e;
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int j, std::uint32_t e, int k) const {
    const std::uint32_t behind = e + (1u << (j - 1));
    return k == 0 && behind < 1u << n ? behind : no_element;
  }
};

}  // namespace warploom
