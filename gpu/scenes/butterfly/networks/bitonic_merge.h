#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// The last merge of a bitonic sort alone: digits n to 1, all ascending. Source: batcher1968sorting.
struct BitonicMerge : InPlaceNetwork {
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr NetworkStage stage(int number) const { return {n + 1 - number, n + 1 - number}; }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n) << (n - 1); }
  WARPLOOM_HD constexpr bool makes(int, std::uint32_t) const { return true; }
  WARPLOOM_HD constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    return k == 0 ? e & ~half(number) : e | half(number);
  }
  WARPLOOM_HD constexpr std::uint32_t node(int number, std::uint32_t e) const {
    const int j = n + 1 - number;
    return (e & below_digit(j)) | e >> j << (j - 1);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int number, std::uint32_t e, int k) const {
    const bool lower = !(e & half(number));
    return lower == (k == 0) ? e ^ half(number) : no_element;
  }
  WARPLOOM_HD constexpr bool takes_minimum(int number, std::uint32_t e) const { return !(e & half(number)); }

 private:
  WARPLOOM_HD constexpr std::uint32_t half(int number) const { return 1u << (n - number); }
};

}  // namespace warploom
