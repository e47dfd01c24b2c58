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
  WARPLOOM_HD constexpr int compared(int stage) const { return step(stage).j; }
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

/// Comparators of all pairs that differ in digit compared(stage), for a sort's stages and a merge's alike.
template <class Stages>
struct DigitComparators : Stages {
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr NetworkStage stage(int number) const {
    const int j = this->compared(number);
    return {j, j};
  }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  WARPLOOM_HD constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    const std::uint32_t h = half(number);
    return k == 0 ? e & ~h : e | h;
  }
  WARPLOOM_HD constexpr std::uint32_t node(int number, std::uint32_t e) const {
    const int j = this->compared(number);
    return (e & below_digit(j)) | e >> j << (j - 1);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int number, std::uint32_t e, int k) const {
    const std::uint32_t h = half(number);
    const bool lower = !(e & h);
    return lower == (k == 0) ? e ^ h : no_element;
  }
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    return static_cast<std::uint64_t>(this->stages()) << (this->n - 1);
  }

 protected:
  WARPLOOM_HD constexpr std::uint32_t half(int number) const { return 1u << (this->compared(number) - 1); }
};

/// Runs of both directions, merged. Source: batcher1968sorting.
struct Bitonic : DigitComparators<SortStages> {
  static constexpr NetworkInfo info{"bitonic", "Bitonic", "runs of both directions, merged", "batcher1968sorting"};
  /// Whether the smaller operand goes to e, else the larger.
  WARPLOOM_HD constexpr bool takes_minimum(int number, std::uint32_t e) const {
    const Step at = step(number);
    return digit(e, at.k + 1) == digit(e, at.j);
  }
};

}  // namespace warploom
