#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gpu/core/queue.h"

namespace warploom {

/// Raw memory of a backend, whose last bytes may be read as a whole word of 64 bits. Host memory comes zeroed and page
/// by page; device memory from cudaMalloc, of the device that the calling thread is on.
void* allocate_bytes(Backend backend, std::uint64_t bytes);
void release_bytes(Backend backend, void* memory, std::uint64_t bytes) noexcept;
/// Memory that kernels write and the host reads without a transfer: page-locked on CUDA.
void* allocate_shared_bytes(Backend backend, std::uint64_t bytes);
void release_shared_bytes(Backend backend, void* memory) noexcept;
void zero_bytes(Queue& queue, void* memory, std::uint64_t bytes);
/// Every bit 1: -1 of integers, no number of floats. Throws Cancelled like a launch.
void fill_with_ones(Queue& queue, void* memory, std::uint64_t bytes);
/// Host to backend and back; both wait until the data has arrived.
void upload_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes);
void download_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes);
/// A rectangle of `rows` rows of `width` bytes, to host memory, in one transfer; waits until it has arrived.
void download_rows(Queue& queue, void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch,
                   std::uint64_t width, std::uint64_t rows);
/// Within the backend, from a device to another too, in order with the queue's launches.
void copy_bytes(Queue& queue, void* to, const void* from, std::uint64_t bytes);
/// ... a rectangle of `rows` rows of `width` bytes.
void copy_rows(Queue& queue, void* to, std::uint64_t to_pitch, const void* from, std::uint64_t from_pitch,
               std::uint64_t width, std::uint64_t rows);

/// An owned array of plain values in the memory of a backend.
template <class Value>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Backend backend, std::uint64_t count)
      : backend_(backend), count_(count), data_(static_cast<Value*>(allocate_bytes(backend, count * sizeof(Value)))) {}
  /// With these values.
  Buffer(Queue& queue, std::span<const Value> values) : Buffer(queue.backend(), values.size()) {
    upload(queue, values);
  }
  ~Buffer() { release_bytes(backend_, data_, bytes()); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }

  Value* data() const { return data_; }
  std::uint64_t size() const { return count_; }
  std::uint64_t bytes() const { return count_ * sizeof(Value); }
  Backend backend() const { return backend_; }

  void zero(Queue& queue) { zero_bytes(queue, data_, bytes()); }
  void upload(Queue& queue, std::span<const Value> values) {
    upload_bytes(queue, data_, values.data(), values.size_bytes());
  }
  /// Becomes these values, in the memory that it has where they are as many.
  void assign(Queue& queue, std::span<const Value> values) {
    if (count_ != values.size()) *this = Buffer(queue.backend(), values.size());
    upload(queue, values);
  }
  std::vector<Value> download(Queue& queue) const {
    std::vector<Value> values(count_);
    download_bytes(queue, values.data(), data_, bytes());
    return values;
  }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(backend_, other.backend_);
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
  }
  Backend backend_ = Backend::cpu;
  std::uint64_t count_ = 0;
  Value* data_ = nullptr;
};

}  // namespace warploom
