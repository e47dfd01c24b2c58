#pragma once
#include <cstdint>
#include <type_traits>

#include "gpu/core/atomic.h"
#include "gpu/core/macros.h"

// A header of its own: CUDA's atomics take nvcc three seconds in each source that reads them.
#ifdef __CUDACC__
#include <cuda/atomic>
#endif

namespace warploom {

// Words of 32 or 64 bits by which the blocks of a launch, and on the CPU its threads, hand things on: tables, rings,
// deques. What a thread wrote before a release is there for the thread that acquires what it released; all that is
// sequentially consistent happens in one order, the same for every thread. On a device for its blocks alone: the host
// reads when the launch is over.

namespace detail {
template <class Word>
concept AtomicWord = std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t>;
#ifdef __CUDACC__
template <class Word>
__device__ __forceinline__ auto atomic_on_device(const Word* at) {
  return cuda::atomic_ref<Word, cuda::thread_scope_device>(*const_cast<Word*>(at));
}
#endif
}  // namespace detail

/// Writes `desired` where `expected` stands; returns what stood there. Sequentially consistent.
template <detail::AtomicWord Word>
WARPLOOM_HD Word compare_and_swap(Word* at, std::type_identity_t<Word> expected, std::type_identity_t<Word> desired) {
#ifdef __CUDA_ARCH__
  detail::atomic_on_device(at).compare_exchange_strong(expected, desired, cuda::memory_order_seq_cst);
#else
  __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
  return expected;
}

/// Writes `value`; returns what stood there. Acquires and releases.
template <detail::AtomicWord Word>
WARPLOOM_HD Word exchange(Word* at, std::type_identity_t<Word> value) {
#ifdef __CUDA_ARCH__
  return detail::atomic_on_device(at).exchange(value, cuda::memory_order_acq_rel);
#else
  return __atomic_exchange_n(at, value, __ATOMIC_ACQ_REL);
#endif
}

/// What stands there, with what was written before it was released.
template <detail::AtomicWord Word>
WARPLOOM_HD Word acquire_load(const Word* at) {
#ifdef __CUDA_ARCH__
  return detail::atomic_on_device(at).load(cuda::memory_order_acquire);
#else
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/// Writes `value` for those who acquire it, with all that this thread wrote before.
template <detail::AtomicWord Word>
WARPLOOM_HD void release_store(Word* at, std::type_identity_t<Word> value) {
#ifdef __CUDA_ARCH__
  detail::atomic_on_device(at).store(value, cuda::memory_order_release);
#else
  __atomic_store_n(at, value, __ATOMIC_RELEASE);
#endif
}

/// Adds `value` for those who acquire it, with all that this thread wrote before, and what others of its block wrote
/// before a barrier that it is past.
template <detail::AtomicWord Word>
WARPLOOM_HD void release_add(Word* at, std::type_identity_t<Word> value) {
#ifdef __CUDA_ARCH__
  detail::atomic_on_device(at).fetch_add(value, cuda::memory_order_release);
#else
  __atomic_fetch_add(at, value, __ATOMIC_RELEASE);
#endif
}

/// What stands there. Sequentially consistent.
template <detail::AtomicWord Word>
WARPLOOM_HD Word ordered_load(const Word* at) {
#ifdef __CUDA_ARCH__
  return detail::atomic_on_device(at).load(cuda::memory_order_seq_cst);
#else
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
#endif
}

/// Writes `value`. Sequentially consistent.
template <detail::AtomicWord Word>
WARPLOOM_HD void ordered_store(Word* at, std::type_identity_t<Word> value) {
#ifdef __CUDA_ARCH__
  detail::atomic_on_device(at).store(value, cuda::memory_order_seq_cst);
#else
  __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
#endif
}

/// Adds `value`, modulo 2^bits; returns what stood there. Sequentially consistent.
template <detail::AtomicWord Word>
WARPLOOM_HD Word ordered_fetch_add(Word* at, std::type_identity_t<Word> value) {
#ifdef __CUDA_ARCH__
  return detail::atomic_on_device(at).fetch_add(value, cuda::memory_order_seq_cst);
#else
  return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
#endif
}

// The same with fences: sequentially consistent on the CPU; on a device accesses are relaxed, and a fence stands where
// an order is needed. There an order costs as much as a look at memory, and several in a row wait for each other.

/// What a thread of a device read before it was acquired, what it stores after it is released. Nothing on the CPU.
WARPLOOM_HD void device_fence() {
#ifdef __CUDA_ARCH__
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
#endif
}
/// ... and of all fences of this kind there is one order, the same for every thread.
WARPLOOM_HD void ordered_device_fence() {
#ifdef __CUDA_ARCH__
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
#endif
}
WARPLOOM_HD std::uint64_t fenced_load(const std::uint64_t* at) {
#ifdef __CUDA_ARCH__
  return relaxed_load(at);
#else
  return ordered_load(at);
#endif
}
WARPLOOM_HD void fenced_store(std::uint64_t* at, std::uint64_t value) {
#ifdef __CUDA_ARCH__
  relaxed_store(at, value);
#else
  ordered_store(at, value);
#endif
}
/// Returns what stood there.
WARPLOOM_HD std::uint64_t fenced_compare_and_swap(std::uint64_t* at, std::uint64_t expected, std::uint64_t desired) {
#ifdef __CUDA_ARCH__
  using Word = unsigned long long;
  return atomicCAS(reinterpret_cast<Word*>(at), static_cast<Word>(expected), static_cast<Word>(desired));
#else
  return compare_and_swap(at, expected, desired);
#endif
}

}  // namespace warploom
