#pragma once
#include <cstring>
#include <type_traits>

#include "gpu/core/macros.h"

// How values of 8 or 16 bytes go through the caches of a device. On the CPU: as all others.
namespace warploom {

namespace detail {
#ifdef __CUDACC__
template <class Value>
using CachedWord = std::conditional_t<sizeof(Value) == 8, uint2, uint4>;
#endif
template <class To, class From>
WARPLOOM_HD To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && (sizeof(To) == 8 || sizeof(To) == 16));
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
}  // namespace detail

/// Past the cache of a multiprocessor: what another block wrote meanwhile is seen.
template <class Value>
WARPLOOM_HD Value fetch_past_l1(const Value* from) {
#ifdef __CUDA_ARCH__
  return detail::same_bits<Value>(__ldcg(reinterpret_cast<const detail::CachedWord<Value>*>(from)));
#else
  return *from;
#endif
}

// What is read or written once: the second cache gives it up first, and keeps what is handed on within a launch.
template <class Value>
WARPLOOM_HD Value fetch_streamed(const Value* from) {
#ifdef __CUDA_ARCH__
  return detail::same_bits<Value>(__ldcs(reinterpret_cast<const detail::CachedWord<Value>*>(from)));
#else
  return *from;
#endif
}
template <class Value>
WARPLOOM_HD void store_streamed(Value* to, const Value& value) {
#ifdef __CUDA_ARCH__
  using Word = detail::CachedWord<Value>;
  __stcs(reinterpret_cast<Word*>(to), detail::same_bits<Word>(value));
#else
  *to = value;
#endif
}

}  // namespace warploom
