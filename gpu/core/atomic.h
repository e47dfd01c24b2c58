#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// Relaxed sum into memory that other threads add to; what stood there before.
WARPLOOM_HD std::uint64_t atomic_fetch_add(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}

/// Of 32 bits.
WARPLOOM_HD std::uint32_t atomic_fetch_add(std::uint32_t* to, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(to, value);
#else
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
#endif
}
/// The same without an answer of what stood there.
WARPLOOM_HD void atomic_add(std::uint64_t* to, std::uint64_t value) { (void)atomic_fetch_add(to, value); }

/// Relaxed, bit by bit.
WARPLOOM_HD void atomic_or(std::uint32_t* to, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  atomicOr(to, bits);
#else
  __atomic_fetch_or(to, bits, __ATOMIC_RELAXED);
#endif
}
/// ... and what stood there before.
WARPLOOM_HD std::uint32_t atomic_fetch_or(std::uint32_t* to, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return atomicOr(to, bits);
#else
  return __atomic_fetch_or(to, bits, __ATOMIC_RELAXED);
#endif
}
WARPLOOM_HD void atomic_and(std::uint32_t* to, std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  atomicAnd(to, bits);
#else
  __atomic_fetch_and(to, bits, __ATOMIC_RELAXED);
#endif
}

/// Relaxed sum of doubles: in any order, so its last bits may differ from run to run.
WARPLOOM_HD void atomic_add(double* to, double value) {
#ifdef __CUDA_ARCH__
  atomicAdd(to, value);
#else
  double seen = 0;
  __atomic_load(to, &seen, __ATOMIC_RELAXED);
  for (double sum = seen + value;
       !__atomic_compare_exchange(to, &seen, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);)
    sum = seen + value;
#endif
}

/// Relaxed maximum where most values are no higher than what is there: a load is cheaper than an atomic.
WARPLOOM_HD void rare_atomic_maximum(std::uint32_t* to, std::uint32_t value) {
#ifdef __CUDA_ARCH__
  if (value > *static_cast<volatile std::uint32_t*>(to)) atomicMax(to, value);
#else
  std::uint32_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (value > seen && !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

/// Relaxed minimum into memory that other threads lower.
WARPLOOM_HD void atomic_minimum(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#else
  std::uint64_t seen = __atomic_load_n(to, __ATOMIC_RELAXED);
  while (value < seen && !__atomic_compare_exchange_n(to, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

/// The same where most values are no lower than what is there: on a GPU a load is cheaper than an atomic.
WARPLOOM_HD void rare_atomic_minimum(std::uint64_t* to, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  if (value >= *static_cast<volatile std::uint64_t*>(to)) return;
#endif
  atomic_minimum(to, value);
}

/// A store that may meet another of the same place: one of them stands, whole.
template <class Value>
WARPLOOM_HD void relaxed_store(Value* to, Value value) {
#ifdef __CUDA_ARCH__
  *static_cast<volatile Value*>(to) = value;  // PTX: volatile is relaxed
#else
  __atomic_store(to, &value, __ATOMIC_RELAXED);
#endif
}

/// What other threads store meanwhile, by relaxed_store; read anew each time.
template <class Value>
WARPLOOM_HD Value relaxed_load(const Value* from) {
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile Value*>(from);
#else
  Value value;
  __atomic_load(from, &value, __ATOMIC_RELAXED);
  return value;
#endif
}

}  // namespace warploom
