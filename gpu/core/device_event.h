#pragma once
#include "gpu/core/queue.h"

namespace warploom {

/// A place in a queue's work that other queues wait for: a CUDA event. On the CPU a launch is done when it returns, and
/// there is nothing to wait for. One thread at a time calls `set`, and none calls `hold` meanwhile; any number of
/// threads may call `hold`.
class DeviceEvent {
 public:
  explicit DeviceEvent(Backend backend);
  ~DeviceEvent();
  DeviceEvent(DeviceEvent&& other) noexcept;
  DeviceEvent& operator=(DeviceEvent&&) = delete;

  /// After everything launched in `queue` so far. Never throws: a queue that fails says so at its next launch.
  void set(Queue& queue) noexcept;
  /// What `queue` launches from now on starts after the mark; at once where it was never set. Throws Error.
  void hold(Queue& queue) const;
  /// Whether what lies before the mark is done, or has failed; does not wait. True where it was never set.
  bool passed() const noexcept;
  /// The host waits until it has passed; never throws.
  void wait() const noexcept;

 private:
  void* event_ = nullptr;
};

}  // namespace warploom
