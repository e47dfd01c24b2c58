#pragma once
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// While it lives nothing in the queue is timed: work that belongs to no figure.
class ScopedUntimed {
 public:
  explicit ScopedUntimed(Queue& queue) : queue_(queue), stopwatch_(std::exchange(queue.stopwatch, nullptr)) {}
  ~ScopedUntimed() { queue_.stopwatch = stopwatch_; }
  ScopedUntimed(const ScopedUntimed&) = delete;
  ScopedUntimed& operator=(const ScopedUntimed&) = delete;

 private:
  Queue& queue_;
  Stopwatch* stopwatch_;
};

}  // namespace warploom
