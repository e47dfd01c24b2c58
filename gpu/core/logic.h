#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/core/rounded.h"

namespace warploom {

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

}  // namespace warploom
