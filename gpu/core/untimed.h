#pragma once
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// While it lives nothing in the queue is timed: what is nobody's time.
class Untimed {
 public:
  explicit Untimed(Queue& queue) : queue_(queue), stopwatch_(std::exchange(queue.stopwatch, nullptr)) {}
  ~Untimed() { queue_.stopwatch = stopwatch_; }
  Untimed(const Untimed&) = delete;
  Untimed& operator=(const Untimed&) = delete;

 private:
  Queue& queue_;
  Stopwatch* stopwatch_;
};

}  // namespace warploom
