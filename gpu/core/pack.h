#pragma once
#include <cstdint>
#include <cstring>

#include "gpu/core/macros.h"

namespace warploom {

/// Values that a thread reads or writes at once: 4, 8 or 16 bytes on as many.
template <class Value, unsigned count>
struct alignas(sizeof(Value) * count) Pack {
  static_assert(sizeof(Value) * count <= 16);
  Value values[count];
  WARPLOOM_HD Value& operator[](unsigned i) { return values[i]; }
  WARPLOOM_HD const Value& operator[](unsigned i) const { return values[i]; }
};

template <unsigned count, class Value>
WARPLOOM_HD Pack<Value, count> load_pack(const Value* from) {
  return *reinterpret_cast<const Pack<Value, count>*>(from);
}
/// ... or zeros where they are not there. On a device without a branch: a compiler that sees one gathers in it what
/// waits for the values, and then one load waits for the other.
template <unsigned count>
WARPLOOM_HD Pack<std::uint32_t, count> load_pack_or_zero(const std::uint32_t* from, bool there) {
  static_assert(count == 1 || count == 2 || count == 4);
#ifdef __CUDA_ARCH__
  Pack<std::uint32_t, count> pack;
  const unsigned is = there;
  if constexpr (count == 1)
    asm("{ .reg .pred there; setp.ne.u32 there, %2, 0; mov.u32 %0, 0; @there ld.global.u32 %0, [%1]; }"
        : "=&r"(pack[0])
        : "l"(from), "r"(is)
        : "memory");
  else if constexpr (count == 2)
    asm("{ .reg .pred there; setp.ne.u32 there, %3, 0; mov.u32 %0, 0; mov.u32 %1, 0; @there ld.global.v2.u32 {%0, "
        "%1}, [%2]; }"
        : "=&r"(pack[0]), "=&r"(pack[1])
        : "l"(from), "r"(is)
        : "memory");
  else
    asm("{ .reg .pred there; setp.ne.u32 there, %5, 0; mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0; mov.u32 %3, 0; "
        "@there ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "=&r"(pack[0]), "=&r"(pack[1]), "=&r"(pack[2]), "=&r"(pack[3])
        : "l"(from), "r"(is)
        : "memory");
  return pack;
#else
  return there ? load_pack<count>(from) : Pack<std::uint32_t, count>{};
#endif
}
/// To a device's global memory.
template <class Value, unsigned count>
WARPLOOM_HD void store_pack(Value* to, const Pack<Value, count>& pack) {
#ifdef __CUDA_ARCH__
  // By one instruction: a compiler stores one by one what was chosen one by one.
  if constexpr (sizeof(pack) == 16 || sizeof(pack) == 8) {
    unsigned word[sizeof(pack) / 4];
    memcpy(word, &pack, sizeof(pack));
    if constexpr (sizeof(pack) == 16)
      asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(word[0]), "r"(word[1]), "r"(word[2]),
                   "r"(word[3])
                   : "memory");
    else
      asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word[0]), "r"(word[1]) : "memory");
    return;
  }
#endif
  *reinterpret_cast<Pack<Value, count>*>(to) = pack;
}

}  // namespace warploom
