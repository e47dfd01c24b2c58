#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Operands of those who eliminate the neighbours `h` away on both sides: left, own, right.
struct NeighbourOperands : InPlaceNetwork {
  static constexpr int operands = 3;

 protected:
  WARPLOOM_HD constexpr std::uint32_t neighbour(std::uint32_t e, std::uint32_t h, int k) const {
    if (k == 0) return e >= h ? e - h : no_element;
    if (k == 1) return e;
    return e + h < 1u << n ? e + h : no_element;
  }
};

/// Every other equation loses its neighbours, until one is left; then back. Source: hockney1965poisson.
struct CyclicReduction : NeighbourOperands {
  static constexpr NetworkInfo info{"cyclic_reduction", "Cyclic reduction",
                                    "every other equation loses its neighbours, then back", "hockney1965poisson"};
  WARPLOOM_HD constexpr int stages() const { return 2 * n; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return (std::uint64_t{2} << n) - 2; }
  WARPLOOM_HD constexpr bool makes(int stage, std::uint32_t e) const {
    const std::uint32_t h = half(stage);
    return (e & (2 * h - 1)) == (stage <= n ? 2 * h - 1 : h - 1);
  }
  WARPLOOM_HD constexpr std::uint32_t partner(int stage, std::uint32_t e, int k) const {
    return neighbour(e, half(stage), k);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int stage, std::uint32_t e, int k) const {
    const std::uint32_t other = neighbour(e, half(stage), k == 0 ? 2 : 0);
    return other != no_element && makes(stage, other) ? other : no_element;
  }
  WARPLOOM_HD constexpr std::uint32_t apart(int stage) const { return half(stage); }

 private:
  /// Forward by digits 1 to n, back by n to 1.
  WARPLOOM_HD constexpr std::uint32_t half(int stage) const {
    return 1u << ((stage <= n ? stage : 2 * n + 1 - stage) - 1);
  }
};

/// Every equation loses its neighbours. Source: hockney1981parallel.
struct ParallelCyclicReduction : NeighbourOperands {
  static constexpr NetworkInfo info{"parallel_cyclic_reduction", "Parallel cyclic reduction",
                                    "every equation loses its neighbours", "hockney1981parallel"};
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n) << n; }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    return neighbour(e, 1u << (j - 1), k);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int j, std::uint32_t e, int k) const {
    return neighbour(e, 1u << (j - 1), k == 0 ? 2 : 0);
  }
  WARPLOOM_HD constexpr std::uint32_t apart(int j) const { return 1u << (j - 1); }
};

}  // namespace warploom
