#pragma once
#include "gpu/core/bits.h"
#include "gpu/scenes/butterfly/kernels/plan.h"

namespace warploom {

namespace detail {
/// How many digits from bit `first` on follow each other, upwards or downwards.
WARPLOOM_HD constexpr int digits_in_row(const Digits& digits, int first, bool falls) {
  int count = 1;
  while (first + count < digits.count && digits.at[first + count] == digits.at[first + count - 1] + (falls ? -1 : 1))
    ++count;
  return count;
}
}  // namespace detail

/// As `placed`, of digits that the compiler knows: those that follow each other are moved together.
template <Digits digits, int first = 0>
WARPLOOM_HD std::uint32_t spread(std::uint32_t x) {
  if constexpr (first >= digits.count) {
    return 0;
  } else {
    constexpr bool falls = detail::digits_in_row(digits, first, true) > 1;
    constexpr int count = detail::digits_in_row(digits, first, falls),
                  lowest = digits.at[falls ? first + count - 1 : first];
    const std::uint32_t part = x >> first & ((1u << count) - 1);
    return (falls ? reversed_bits(part, count) : part) << lowest | spread<digits, first + count>(x);
  }
}

}  // namespace warploom
