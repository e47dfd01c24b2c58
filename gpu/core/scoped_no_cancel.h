#pragma once
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// While it lives nothing in the queue is cancelled: for what must be done whole once it is begun.
class ScopedNoCancel {
 public:
  explicit ScopedNoCancel(Queue& queue) : queue_(queue), cancel_(std::exchange(queue.cancel, nullptr)) {}
  ~ScopedNoCancel() { queue_.cancel = cancel_; }
  ScopedNoCancel(const ScopedNoCancel&) = delete;
  ScopedNoCancel& operator=(const ScopedNoCancel&) = delete;

 private:
  Queue& queue_;
  const std::atomic<bool>* cancel_;
};

}  // namespace warploom
