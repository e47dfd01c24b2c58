#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// Whether one instruction selects four bytes here: on a device.
#ifdef __CUDA_ARCH__
inline constexpr bool has_select_bytes = true;
#else
inline constexpr bool has_select_bytes = false;
#endif

/// Four bytes of the eight of `low` and `high`, by the four lowest digits (of base 16) of `selectors`: the byte of that
/// number, or, from 8 on, eight times the sign of the byte whose number is 8 less.
WARPLOOM_HD std::uint32_t select_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selectors) {
#ifdef __CUDA_ARCH__
  std::uint32_t all;  // the intrinsic would leave out the signs
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(low), "r"(high), "r"(selectors));
  return all;
#else
  std::uint32_t all = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t digit = selectors >> (4 * i) & 0xf, word = digit & 4 ? high : low;
    const std::uint32_t byte = word >> (8 * (digit & 3)) & 0xff;
    all |= (digit & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
  }
  return all;
#endif
}

}  // namespace warploom
