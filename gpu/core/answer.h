#pragma once
#include <cstdint>
#include <type_traits>

#include "gpu/core/device_event.h"

namespace warploom {

/// Memory that kernels write and the host reads without a transfer: page-locked on CUDA.
void* allocate_shared_bytes(Backend backend, std::uint64_t bytes);
void release_shared_bytes(Backend backend, void* memory) noexcept;

/// A plain value that a launch writes and the host reads later. All launches that write one are of one queue.
template <class Value>
class Answer {
  static_assert(std::is_trivially_copyable_v<Value>);

 public:
  explicit Answer(Backend backend)
      : backend_(backend),
        value_(static_cast<Value*>(allocate_shared_bytes(backend, sizeof(Value)))),
        written_(backend) {}
  ~Answer() {
    written_.wait();
    release_shared_bytes(backend_, value_);
  }
  Answer& operator=(Answer&&) = delete;  // neither copied nor moved

  /// Where a launch writes it.
  Value* data() const { return value_; }
  /// After the launch that writes it.
  void asked(Queue& queue) { written_.set(queue); }
  /// Whether it is there: does not wait.
  bool there() const { return written_.passed(); }
  /// Waits for it.
  Value get() const {
    written_.wait();
    return *value_;
  }
  /// What `queue` launches from now on starts after the value is written: of who changes what the launch reads.
  void hold(Queue& queue) const { written_.hold(queue); }

 private:
  Backend backend_;
  Value* value_ = nullptr;
  DeviceEvent written_;
};

}  // namespace warploom
