#pragma once
#include <cstdint>
#include <limits>

#include "gpu/core/queue.h"
#ifdef __CUDACC__
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

/// Shared memory that every device from compute capability 7.5 on has for a block that asks for it, in bytes; others
/// have more.
inline constexpr std::uint64_t least_shared_memory = std::uint64_t{64} << 10;

/// Bytes of dynamic shared memory that a block can have where the queue runs; of a CPU any number. Throws Error for a
/// CUDA failure.
inline std::uint64_t shared_memory_of([[maybe_unused]] const Queue& queue) {
#ifdef __CUDACC__
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    return static_cast<std::uint64_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  }
#endif
  return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace warploom
