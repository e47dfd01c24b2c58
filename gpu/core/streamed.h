#pragma once
#include <cstring>
#include <type_traits>

#include "gpu/core/macros.h"

namespace warploom {

// Values of 8 or 16 bytes that are read or written once: a device's second cache gives them up first, and keeps what is
// handed on within a launch.

template <class Value>
WARPLOOM_HD Value fetch_streamed(const Value* from) {
  static_assert(sizeof(Value) == 8 || sizeof(Value) == 16);
#ifdef __CUDA_ARCH__
  using Word = std::conditional_t<sizeof(Value) == 8, uint2, uint4>;
  const Word word = __ldcs(reinterpret_cast<const Word*>(from));
  Value value;
  memcpy(&value, &word, sizeof(value));
  return value;
#else
  return *from;
#endif
}
template <class Value>
WARPLOOM_HD void store_streamed(Value* to, const Value& value) {
  static_assert(sizeof(Value) == 8 || sizeof(Value) == 16);
#ifdef __CUDA_ARCH__
  using Word = std::conditional_t<sizeof(Value) == 8, uint2, uint4>;
  Word word;
  memcpy(&word, &value, sizeof(value));
  __stcs(reinterpret_cast<Word*>(to), word);
#else
  *to = value;
#endif
}

}  // namespace warploom
