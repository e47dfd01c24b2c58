#pragma once
#include <cstddef>
#include <span>

#include "gpu/core/pixels.h"

namespace warploom::interop {

enum class MemoryKind { device, pinned };

/// Memory of the CUDA device, or of the host where the device copies without a detour. All throw Error as CUDA fails,
/// CudaUnavailable in a program built without it.
class CudaMemory {
 public:
  CudaMemory(MemoryKind kind, std::size_t bytes);
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;
  ~CudaMemory();
  void* data() const { return data_; }

 private:
  MemoryKind kind_;
  void* data_ = nullptr;
};

/// Between host and device in any direction, in the order of `stream` (a cudaStream_t).
void copy(void* to, const void* from, std::size_t bytes, void* stream);

void synchronise(void* stream);

/// After a failure that was expected: else the next kernel launch would report it as its own.
void forget_error();

/// Fills a target of the CUDA backend from host memory: width * height pixels, top row first. In the order of `stream`;
/// the pixels must live until that is through.
void copy_to(const PixelTarget& target, std::span<const Rgba> pixels, void* stream);

}  // namespace warploom::interop
