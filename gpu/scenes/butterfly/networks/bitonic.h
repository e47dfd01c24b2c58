#pragma once
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// The comparators of a sort in blocks of 2^k, by distances 2^(j-1), k = 1..n and j = k..1.
struct SortStages : InPlaceNetwork {
  static constexpr int operands = 2;
  struct Step {
    int k, j;
  };
  WARPLOOM_HD constexpr int stages() const { return n * (n + 1) / 2; }
  WARPLOOM_HD constexpr std::uint32_t apart(int stage) const { return 1u << (step(stage).j - 1); }
  /// The largest k whose smaller blocks are done: found without a loop, as threads ask it for each of their elements.
  WARPLOOM_HD static constexpr Step step(int stage) {
    int before = 0;
    WARPLOOM_UNROLL
    for (int more = 16; more > 0; more /= 2)
      if ((before + more) * (before + more + 1) / 2 < stage) before += more;
    const int k = before + 1;
    return {k, k + 1 - (stage - before * k / 2)};
  }
};

/// Runs of both directions, merged. Source: batcher1968sorting.
struct Bitonic : SortStages {
  static constexpr NetworkInfo info{"bitonic", "Bitonic", "runs of both directions, merged", "batcher1968sorting"};
  WARPLOOM_HD constexpr NetworkStage stage(int number) const {
    const int j = step(number).j;
    return {j, j};
  }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(stages()) << (n - 1); }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  WARPLOOM_HD constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    const std::uint32_t h = 1u << (step(number).j - 1);
    return k == 0 ? e & ~h : e | h;
  }
  WARPLOOM_HD constexpr std::uint32_t node(int number, std::uint32_t e) const {
    const int j = step(number).j;
    return (e & below_digit(j)) | e >> j << (j - 1);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int number, std::uint32_t e, int k) const {
    const bool lower = partner(number, e, 0) == e;
    return lower == (k == 0) ? partner(number, e, lower ? 1 : 0) : no_element;
  }
  /// Whether the smaller operand goes to e, else the larger.
  WARPLOOM_HD constexpr bool takes_minimum(int number, std::uint32_t e) const {
    const Step at = step(number);
    return digit(e, at.k + 1) == digit(e, at.j);
  }
};

}  // namespace warploom
