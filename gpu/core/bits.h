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

/// Whether logic_3 is one instruction: a device has it; a processor's words may have one of their own, and say so by a
/// member `ternary`.
template <class Word>
WARPLOOM_HD constexpr bool has_logic_3() {
  if constexpr (requires { Word::ternary; }) return true;
  return on_device();
}

/// Any function of three bits, of each bit of three words: bit 4 a + 2 b + c of `table` is its value.
template <unsigned table, class Word>
WARPLOOM_HD_FLAT Word logic_3(const Word& a, const Word& b, const Word& c) {
  static_assert(table < 256);
#ifdef __CUDA_ARCH__
  std::uint32_t found;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(found) : "r"(a), "r"(b), "r"(c), "n"(table));
  return found;
#else
  const auto of = [&](unsigned high, unsigned low) {  // of c, by the values that it has for 1 and 0
    return high && low ? Word(~(c & ~c)) : high ? c : low ? Word(~c) : Word(c & ~c);
  };
  const auto bit = [](unsigned i) { return table >> i & 1; };
  return (a & ((b & of(bit(7), bit(6))) | (~b & of(bit(5), bit(4))))) |
         (~a & ((b & of(bit(3), bit(2))) | (~b & of(bit(1), bit(0)))));
#endif
}

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
