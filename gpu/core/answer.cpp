#include "gpu/core/answer.h"

#include <cstdlib>
#include <new>

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

void* allocate_shared_bytes([[maybe_unused]] Backend backend, std::uint64_t bytes) {
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    void* memory = nullptr;
    WARPLOOM_CUDA(cudaMallocHost(&memory, bytes));
    return memory;
  }
#endif
  void* memory = std::calloc(1, bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void release_shared_bytes([[maybe_unused]] Backend backend, void* memory) noexcept {
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    cudaFreeHost(memory);
    return;
  }
#endif
  std::free(memory);
}

}  // namespace warploom
