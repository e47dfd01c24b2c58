#pragma once
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// While it lives nothing in the queue is cancelled: for what must be done whole once it is begun.
class Uncancelled {
 public:
  explicit Uncancelled(Queue& queue) : queue_(queue), cancel_(std::exchange(queue.cancel, nullptr)) {}
  ~Uncancelled() { queue_.cancel = cancel_; }
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  Queue& queue_;
  const std::atomic<bool>* cancel_;
};

}  // namespace warploom
