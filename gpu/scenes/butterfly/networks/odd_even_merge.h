#pragma once
#include "gpu/scenes/butterfly/networks/bitonic.h"

namespace warploom {

/// Runs of one direction, merged by their odd and their even elements. Source: batcher1968sorting.
struct OddEvenMerge : SortStages {
  static constexpr NetworkInfo info{"odd_even_merge", "Odd-even merge", "runs of one direction, merged by odd and even",
                                    "batcher1968sorting"};
  WARPLOOM_HD constexpr std::uint64_t nodes() const {
    return ((static_cast<std::uint64_t>(n * n - n + 4) << n) >> 2) - 1;
  }
  WARPLOOM_HD constexpr bool makes(int number, std::uint32_t e) const { return lower(step(number), e) != no_element; }
  WARPLOOM_HD constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    const Step at = step(number);
    return lower(at, e) + (k == 0 ? 0 : 1u << (at.j - 1));
  }
  WARPLOOM_HD constexpr std::uint32_t node(int number, std::uint32_t e) const { return lower(step(number), e); }
  WARPLOOM_HD constexpr std::uint32_t consumer(int number, std::uint32_t e, int k) const {
    if (!makes(number, e)) return no_element;
    const bool lower = partner(number, e, 0) == e;
    return lower == (k == 0) ? partner(number, e, lower ? 1 : 0) : no_element;
  }
  WARPLOOM_HD constexpr bool takes_minimum(int number, std::uint32_t e) const { return lower(step(number), e) == e; }

 private:
  /// The lower operand of the comparator that e is in.
  WARPLOOM_HD constexpr std::uint32_t lower(const Step& at, std::uint32_t e) const {
    const std::uint32_t h = 1u << (at.j - 1), in_block = e & ((1u << at.k) - 1);
    if (at.j == at.k) return e & ~h;
    if (digit(e, at.j)) return in_block + h < 1u << at.k ? e : no_element;
    return in_block >= h ? e - h : no_element;
  }
};

}  // namespace warploom
