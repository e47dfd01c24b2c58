#include "gpu/core/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "gpu/core/device_pages.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

void* allocate_bytes(Backend backend, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  const auto refused = [&] {
    return MemoryError(std::string(name(backend)) + " memory: " + bytes_text(static_cast<double>(bytes)) + " needed, " +
                       bytes_text(static_cast<double>(free_bytes(backend))) + " free");
  };
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    void* memory = nullptr;
    // Whole words of 64 bits: the last of them may be read as one.
    std::uint64_t all = (bytes + 7) / 8 * 8;
    if (ScopedSharedPages::wanted()) all = (all + least_device_pages - 1) / least_device_pages * least_device_pages;
    if (cudaMalloc(&memory, all) != cudaSuccess) {
      (void)cudaGetLastError();
      throw refused();
    }
    if (ScopedSharedPages::wanted()) know_device_pages(memory, all);
    return memory;
  }
#endif
  if (ScopedSharedPages::wanted()) {
    void* shared = allocate_shared_pages((bytes + 7) / 8 * 8);
    if (!shared) throw refused();
    return shared;
  }
  // Anonymous pages come zeroed and only when touched: a sparse domain costs what it uses.
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw refused();
  know_device_buffer(memory, bytes, OnDevice::current(backend).number);
  return memory;
}

void release_bytes([[maybe_unused]] Backend backend, void* memory, std::uint64_t bytes) noexcept {
  if (!memory) return;
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    forget_device_pages(memory);
    cudaFree(memory);
    return;
  }
#endif
  forget_device_buffer(memory);
  if (!release_shared_pages(memory)) munmap(memory, bytes);
}

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

namespace {

enum class Way { up, down, within };

#if WARPLOOM_WITH_CUDA
/// Within: from whatever device to whatever other.
cudaMemcpyKind kind_of(Way way) {
  return way == Way::up ? cudaMemcpyHostToDevice : way == Way::down ? cudaMemcpyDeviceToHost : cudaMemcpyDefault;
}
#endif

void transfer([[maybe_unused]] Queue& queue, void* to, const void* from, std::uint64_t bytes,
              [[maybe_unused]] Way way) {
  if (bytes == 0) return;
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    WARPLOOM_CUDA(cudaMemcpyAsync(to, from, bytes, kind_of(way), stream_of(queue)));
    if (way != Way::within) queue.wait();
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

void transfer_rows([[maybe_unused]] Queue& queue, void* to, std::uint64_t to_pitch, const void* from,
                   std::uint64_t from_pitch, std::uint64_t width, std::uint64_t rows, [[maybe_unused]] Way way) {
  if (width == 0 || rows == 0) return;
  if (rows == 1) return transfer(queue, to, from, width, way);
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    WARPLOOM_CUDA(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, kind_of(way), stream_of(queue)));
    if (way != Way::within) queue.wait();
    return;
  }
#endif
  for (std::uint64_t row = 0; row < rows; ++row)
    std::memcpy(static_cast<std::uint8_t*>(to) + row * to_pitch,
                static_cast<const std::uint8_t*>(from) + row * from_pitch, width);
}

}  // namespace

void upload_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes) {
  transfer(queue, to, from, bytes, Way::up);
}

void download_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes) {
  transfer(queue, to, from, bytes, Way::down);
}

void copy_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes) {
  transfer(queue, to, from, bytes, Way::within);
}

void zero_bytes([[maybe_unused]] Queue& queue, void* memory, std::uint64_t bytes) {
  if (bytes == 0) return;
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    WARPLOOM_CUDA(cudaMemsetAsync(memory, 0, bytes, stream_of(queue)));
    return;
  }
#endif
  // Giving whole pages back is zeroing them for free; only large buffers are worth the system call.
  if (bytes >= (1u << 24) && madvise(memory, bytes, shared_pages_at(memory) ? MADV_REMOVE : MADV_DONTNEED) == 0) return;
  std::memset(memory, 0, bytes);
}

void fill_with_ones(Queue& queue, void* memory, std::uint64_t bytes) {
  if (queue.cancel && queue.cancel->load()) throw Cancelled();
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    if (bytes) WARPLOOM_CUDA(cudaMemsetAsync(memory, 255, bytes, stream_of(queue)));
    return;
  }
#endif
  constexpr std::uint64_t chunk = 1u << 18;
  const bool finished = queue.pool().run((bytes + chunk - 1) / chunk,
                                         [&](std::uint64_t i) {
                                           std::memset(static_cast<std::uint8_t*>(memory) + i * chunk, 255,
                                                       std::min(chunk, bytes - i * chunk));
                                         },
                                         queue.cancel);
  if (!finished) throw Cancelled();
}

void download_rows(Queue& queue, void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch,
                   std::uint64_t width, std::uint64_t rows) {
  transfer_rows(queue, to, to_pitch, from, from_pitch, width, rows, Way::down);
}

void copy_rows(Queue& queue, void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch,
               std::uint64_t width, std::uint64_t rows) {
  transfer_rows(queue, to, to_pitch, from, from_pitch, width, rows, Way::within);
}

}  // namespace warploom
