#pragma once
#include "gpu/core/macros.h"

namespace warploom {

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

}  // namespace warploom
