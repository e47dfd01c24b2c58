#pragma once
#include <type_traits>

#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"

namespace warploom {

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
