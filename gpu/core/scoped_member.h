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

}  // namespace warploom
