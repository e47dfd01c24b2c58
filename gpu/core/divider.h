#pragma once
#include <bit>
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// The high half of a product. Of the plain words nvcc 13.0 makes three instructions in place of one.
WARPLOOM_HD constexpr std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  if (!__builtin_is_constant_evaluated()) return __umulhi(a, b);
#endif
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}

/// Division of any 32-bit number by a divisor known only at run time, as one high product and two shifts
/// [granlund1994division, section 4]. Exact for every 32-bit dividend and every divisor from 1.
struct Divider {
  std::uint32_t divisor = 1, magic = 1;
  std::uint8_t shift_1 = 0, shift_2 = 0;

  Divider() = default;
  explicit constexpr Divider(std::uint32_t d) : divisor(d) {
    if (d <= 1) return;  // as they are
    const int log = 32 - std::countl_zero(d - 1);
    const std::uint64_t power = std::uint64_t{1} << log;
    magic = static_cast<std::uint32_t>((((power - d) << 32) / d) + 1);
    shift_1 = 1;
    shift_2 = static_cast<std::uint8_t>(log - 1);
  }

  WARPLOOM_HD constexpr std::uint32_t quotient(std::uint32_t n) const {
    const std::uint32_t high = high_product(magic, n);
    return (high + ((n - high) >> shift_1)) >> shift_2;
  }

  /// Divides n and leaves the remainder in it.
  WARPLOOM_HD constexpr std::uint32_t split(std::uint32_t& n) const {
    const std::uint32_t q = quotient(n);
    n -= q * divisor;
    return q;
  }
};

}  // namespace warploom
