#pragma once
#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "gpu/core/stopwatch.h"

namespace warploom {

/// While one lives, maps of users that the calling thread makes are judged for so many seconds in all as they are made,
/// and the rest later (Written::judge). Without one they are judged wholly.
class OwnJudgingTime {
 public:
  explicit OwnJudgingTime(double seconds) : before_(std::exchange(left_, seconds)) {}
  ~OwnJudgingTime() { left_ = before_; }
  OwnJudgingTime& operator=(OwnJudgingTime&&) = delete;  // neither copied nor moved

  /// judge(seconds) with what is left.
  template <class Judge>
  static void spend(Judge&& judge) {
    const auto begin = std::chrono::steady_clock::now();
    judge(left_);
    left_ = std::max(0., left_ - milliseconds_since(begin) / 1000);
  }

 private:
  static inline thread_local double left_ = std::numeric_limits<double>::infinity();
  double before_;
};

}  // namespace warploom
