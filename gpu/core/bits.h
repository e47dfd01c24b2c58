#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// floor(log2 value), value above 0.
WARPLOOM_HD int floor_log2(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(value));
#else
  return 31 - __builtin_clz(value);
#endif
}

/// The place of the lowest bit that is set, of values above 0.
WARPLOOM_HD int lowest_bit(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(value)) - 1;
#else
  return __builtin_ctz(value);
#endif
}

WARPLOOM_HD int lowest_bit(std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(value)) - 1;
#else
  return __builtin_ctzll(value);
#endif
}

/// How many bits are set.
WARPLOOM_HD_FLAT std::uint32_t bit_count(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(value));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(value));
#endif
}

/// The lowest `count` bits in reversed order; 0 to 32 of them.
WARPLOOM_HD constexpr std::uint32_t reversed_bits(std::uint32_t value, int count) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(__brev(value)) << count) >> 32);
#else
  value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
  value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
  value = (value >> 8 & 0x00ff00ffu) | (value & 0x00ff00ffu) << 8;
  value = value >> 16 | value << 16;
  return static_cast<std::uint32_t>((std::uint64_t{value} << count) >> 32);
#endif
}

}  // namespace warploom
