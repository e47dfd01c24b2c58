#pragma once  // only where CUDA compiles; elsewhere it is empty
#include <cstdint>

#ifdef __CUDACC__

namespace warploom {

/// What a block on the GPU asks of the device that its threads have no part in: copies without registers, and the
/// launch after this one. What they promise: group.h.
class CudaCopies {
 public:
  /// cp.async is there from compute capability 8.0 on.
  template <class Tile, class Value>
  __device__ __forceinline__ void copy_async(Tile&& tile, unsigned i, const Value* from) {
    static_assert(sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16);
#if __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[i]));
    if constexpr (sizeof(Value) == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(Value)) : "memory");
#else
    tile[i] = *from;
#endif
  }
  template <class Tile, class Value>
  __device__ __forceinline__ void copy_async_or_zero(Tile&& tile, unsigned i, const Value* from, bool there) {
    static_assert(sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16);
#if __CUDA_ARCH__ >= 800
    // Of a source of no bytes nothing is read, and the rest becomes zero. Through the nearest cache: what lies around a
    // block is read by its neighbours, too.
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[i]));
    const unsigned bytes = there ? static_cast<unsigned>(sizeof(Value)) : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(sizeof(Value)), "r"(bytes)
                 : "memory");
#else
    tile[i] = there ? *from : Value{};
#endif
  }
  __device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }
  template <unsigned newest = 0>
  __device__ __forceinline__ void copied() {
#if __CUDA_ARCH__ >= 800
    if constexpr (newest == 0)
      asm volatile("cp.async.wait_all;" ::: "memory");
    else
      asm volatile("cp.async.wait_group %0;" ::"n"(newest) : "memory");
#endif
  }
  /// Launches begin early from compute capability 9.0 on.
  __device__ __forceinline__ void after_previous() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  }
  __device__ __forceinline__ void next_may_begin() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
  }
};

}  // namespace warploom

#endif
