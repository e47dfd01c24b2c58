#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

// Two words of 64 bits in one transaction of a thread.
namespace warploom {

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

}  // namespace warploom
