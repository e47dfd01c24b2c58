#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// A thread scans a problem, element by element.
struct SerialScan : SerialNetwork {
  static constexpr NetworkInfo info{"serial", "Serial", "a thread per row", "ladner1980prefix"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return (1 << n) - 1; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return (std::uint64_t{1} << n) - 1; }
  WARPLOOM_HD constexpr bool makes(int stage, std::uint32_t e) const { return e == static_cast<std::uint32_t>(stage); }
  WARPLOOM_HD constexpr std::uint32_t partner(int, std::uint32_t e, int k) const { return k == 0 ? e - 1 : e; }
};

}  // namespace warploom
