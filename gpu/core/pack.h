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

/// Four bytes that begin anywhere in a backend's memory (buffer.h), of which `count` are asked for, all of them or
/// fewer: what the others are does not count. None: zeros, and nothing is read. A device reads the words of four bytes
/// that hold them. `all`: five or none are there.
template <bool all = false>
WARPLOOM_HD std::uint32_t four_bytes_at(const std::uint8_t* from, std::int32_t count) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const auto past = static_cast<std::int32_t>(address & 3);
  const std::uint32_t low = load_pack_or_zero<1>(words, count > 0)[0],
                      high = load_pack_or_zero<1>(words + 1, count > 0 && (all || past + count > 4))[0];
  return __funnelshift_r(low, high, 8 * static_cast<unsigned>(past));
#else
  std::uint32_t four = 0;
  if (count >= 4)
    std::memcpy(&four, from, sizeof(four));
  else if (count > 0)
    std::memcpy(&four, from, static_cast<std::size_t>(count));
  return four;
#endif
}

/// Whether they may be read and written so.
WARPLOOM_HD bool on_pair(const void* address) { return reinterpret_cast<std::uintptr_t>(address) % 16 == 0; }

WARPLOOM_HD void load_pair(const std::uint8_t* from, std::uint64_t& first, std::uint64_t& second) {
#ifdef __CUDA_ARCH__
  const ulonglong2 both = *reinterpret_cast<const ulonglong2*>(from);
  first = both.x;
  second = both.y;
#else
  first = reinterpret_cast<const std::uint64_t*>(from)[0];
  second = reinterpret_cast<const std::uint64_t*>(from)[1];
#endif
}

WARPLOOM_HD void store_pair(std::uint8_t* to, std::uint64_t first, std::uint64_t second) {
#ifdef __CUDA_ARCH__
  *reinterpret_cast<ulonglong2*>(to) = ulonglong2{first, second};
#else
  reinterpret_cast<std::uint64_t*>(to)[0] = first;
  reinterpret_cast<std::uint64_t*>(to)[1] = second;
#endif
}

/// A value of 16 bytes, read by one instruction even where only some of it is used: a device counts what it takes from
/// shared memory by instructions, and a compiler may read every member where it is needed.
template <class Value>
WARPLOOM_HD Value read_whole(const Value& from) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Value) == 16 && alignof(Value) == 16) {
    const uint4 all = reinterpret_cast<const uint4&>(from);
    Value value;
    __builtin_memcpy(&value, &all, sizeof value);
    return value;
  }
#endif
  return from;
}

/// Asks a CPU to bring what lies there nearer; nothing on a device, and nothing may hang on it.
WARPLOOM_HD void prefetch([[maybe_unused]] const void* at) {
#ifndef __CUDA_ARCH__
  __builtin_prefetch(at);
#endif
}

}  // namespace warploom
