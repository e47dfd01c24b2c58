#pragma once
#include <type_traits>
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// Gives a member of a queue another value while it lives.
template <auto member>
class ScopedMember {
  using Value = std::remove_reference_t<decltype(std::declval<Queue&>().*member)>;

 public:
  explicit ScopedMember(Queue& queue, Value value = {}) : queue_(queue), before_(std::exchange(queue.*member, value)) {}
  ~ScopedMember() { queue_.*member = before_; }
  ScopedMember& operator=(ScopedMember&&) = delete;  // neither copied nor moved

 private:
  Queue& queue_;
  Value before_;
};

/// While it lives nothing in the queue is cancelled: for what must be done whole once it is begun.
using ScopedNoCancel = ScopedMember<&Queue::cancel>;
/// While it lives the queue's launches are timed by this stopwatch.
using ScopedStopwatch = ScopedMember<&Queue::stopwatch>;
/// While it lives nothing in the queue is timed: work that belongs to no figure.
using ScopedUntimed = ScopedStopwatch;

}  // namespace warploom
