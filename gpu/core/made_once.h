#pragma once
#include <mutex>
#include <optional>

namespace warploom {

/// A value that is made when it is first asked for, and kept for all who ask later. Any thread.
template <class Value>
class MadeOnce {
 public:
  /// make() gives it; where that throws nothing is kept, and the next who asks makes it.
  template <class Make>
  const Value& get(Make&& make) const {
    const std::scoped_lock lock(mutex_);
    if (!value_) value_.emplace(make());
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<Value> value_;
};

}  // namespace warploom
