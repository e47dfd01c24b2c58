#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

// Arithmetic modulo the prime 2^61 - 1.
namespace warploom {

inline constexpr std::uint64_t mersenne_61 = (std::uint64_t{1} << 61) - 1;

/// Any number, brought below the prime.
WARPLOOM_HD_FLAT constexpr std::uint64_t folded_61(std::uint64_t x) {
  x = (x & mersenne_61) + (x >> 61);
  return x >= mersenne_61 ? x - mersenne_61 : x;
}

/// Of numbers below the prime.
WARPLOOM_HD std::uint64_t product_61(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  const std::uint64_t low = a * b, high = __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  const auto low = static_cast<std::uint64_t>(product), high = static_cast<std::uint64_t>(product >> 64);
#endif
  return folded_61((low & mersenne_61) + (high << 3 | low >> 61));
}

/// Of a number below the prime by 2^power, power below 61.
WARPLOOM_HD constexpr std::uint64_t times_power_61(std::uint64_t a, int power) {
  const std::uint64_t turned = (a << power & mersenne_61) | (power ? a >> (61 - power) : 0);
  return turned == mersenne_61 ? 0 : turned;
}

}  // namespace warploom
