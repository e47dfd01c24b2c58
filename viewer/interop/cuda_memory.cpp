#include "viewer/interop/cuda_memory.h"

#include "gpu/core/error.h"

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"

namespace warploom::interop {

CudaMemory::CudaMemory(MemoryKind kind, std::size_t bytes) : kind_(kind) {
  if (kind == MemoryKind::device)
    WARPLOOM_CUDA(cudaMalloc(&data_, bytes));
  else
    WARPLOOM_CUDA(cudaMallocHost(&data_, bytes));
}

CudaMemory::~CudaMemory() {
  if (kind_ == MemoryKind::device)
    cudaFree(data_);
  else
    cudaFreeHost(data_);
}

void copy(void* to, const void* from, std::size_t bytes, void* stream) {
  WARPLOOM_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)));
}

void synchronise(void* stream) { WARPLOOM_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream))); }

void forget_error() { (void)cudaGetLastError(); }

void copy_to(const PixelTarget& target, std::span<const Rgba> pixels, void* stream) {
  const std::size_t row = static_cast<std::size_t>(target.width) * sizeof(Rgba),
                    rows = static_cast<std::size_t>(target.height);
  if (!target.surface) return copy(target.pixels, pixels.data(), row * rows, stream);
  cudaResourceDesc description{};
  WARPLOOM_CUDA(cudaGetSurfaceObjectResourceDesc(&description, target.surface));
  WARPLOOM_CUDA(cudaMemcpy2DToArrayAsync(description.res.array.array, 0, 0, pixels.data(), row, row, rows,
                                         cudaMemcpyHostToDevice, static_cast<cudaStream_t>(stream)));
}

}  // namespace warploom::interop

#else

namespace warploom::interop {
namespace {

[[noreturn]] void refuse() { throw CudaUnavailable("this program was built without CUDA"); }

}  // namespace

CudaMemory::CudaMemory(MemoryKind kind, std::size_t) : kind_(kind) { refuse(); }
CudaMemory::~CudaMemory() { (void)kind_; }
void copy(void*, const void*, std::size_t, void*) { refuse(); }
void synchronise(void*) { refuse(); }
void forget_error() {}
void copy_to(const PixelTarget&, std::span<const Rgba>, void*) { refuse(); }

}  // namespace warploom::interop
#endif
