#pragma once
#include <algorithm>
#include <optional>

namespace warploom {

/// What builds of a scene took, to foretell the next one: each has something that it takes however few data it makes.
class BuildTimes {
 public:
  /// A build made so many bytes in so many seconds.
  void add(double bytes, double seconds) {
    shortest_ = none() ? seconds : std::min(shortest_, seconds);
    if (bytes < most_bytes_) return;
    most_bytes_ = bytes;
    seconds_of_most_ = seconds;
  }
  /// Of the next one; nothing while all that was made took as long: it says nothing of how fast data are made.
  std::optional<double> seconds_for(double bytes) const {
    const double of_bytes = seconds_of_most_ - shortest_;
    if (!(of_bytes > .1)) return std::nullopt;
    return shortest_ + bytes / most_bytes_ * of_bytes;
  }

 private:
  bool none() const { return seconds_of_most_ < 0; }
  double shortest_ = 0, most_bytes_ = 0, seconds_of_most_ = -1;
};

}  // namespace warploom
