#pragma once  // only where CUDA compiles; elsewhere it is empty
#include <cstdint>
#include <type_traits>

#include "gpu/core/group.h"

// A block of a launch on a device: what kernels do with a program, without a queue, for sources that have none.

#ifdef __CUDACC__
namespace warploom::detail {

/// Shared memory of a block without asking for more.
inline constexpr std::uint64_t plain_shared_bytes = 48 * 1024;

/// Runs a program in a block whose shared memory, if it has any, is that of `shared`: a function that names it.
template <class Program, class Named>
__device__ __forceinline__ void run_block(const Program& program, CudaGroup& group, Named&& shared) {
  using Shared = SharedBy<Program, CudaGroup>;
  if constexpr (!SharesMemory<Program, CudaGroup>) {
    program(group);
  } else if constexpr (std::is_empty_v<Shared>) {
    Shared nothing;
    program(group, nothing);
  } else {
    static_assert(std::is_trivially_default_constructible_v<Shared>, "no constructor runs in shared memory");
    static_assert(sizeof(Shared) <= plain_shared_bytes, "a Shared has 48 KiB at most; beyond it is dynamic");
    program(group, shared());
  }
}

/// The block of a launch of `blocks` that this one is; folded: its grid was past the device's limits, and is a row of
/// rows. Dynamic shared memory is the launch's.
template <class Program>
__device__ __forceinline__ void run_on_device(const Program& program, Index3 blocks, bool folded) {
  Index3 at{blockIdx.x, blockIdx.y, blockIdx.z};
  std::uint64_t number = (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (folded) {
    if (number >= volume(blocks)) return;
    at = unfold(number, blocks);
  }
  constexpr unsigned exact = exact_threads_of<Program>();
  CudaGroup group(at, number, rows_of_warps<Program>, exact, {0, 1, {}});
  run_block(
      program, group, []() -> auto& {
        __shared__ SharedBy<Program, CudaGroup> shared;
        return shared;
      });
}

}  // namespace warploom::detail
#endif
