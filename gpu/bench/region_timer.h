#pragma once
#include <functional>

#include "gpu/core/queue.h"

namespace warploom::bench {

/// Launches into a queue, without waiting for them. Run again it must do the same work.
using Region = std::function<void(Queue&)>;

/// Times one region: CUDA events around it, or steady_clock.
class RegionTimer {
 public:
  /// `queue` and `region` must outlive the timer.
  RegionTimer(Queue& queue, const Region& region);
  ~RegionTimer();
  RegionTimer& operator=(RegionTimer&&) = delete;  // neither copied nor moved

  /// Every later sample is the mean of so many runs: replays of a CUDA graph, or launches back to back where there is
  /// none or where the region cannot be captured. Runs them once.
  void replay(unsigned times);
  unsigned replays() const { return replays_; }
  bool graph() const { return graph_ != nullptr; }

  /// Milliseconds of one run of the region. Waits.
  double sample();

 private:
  void run();

  Queue& queue_;
  const Region& region_;
  unsigned replays_ = 1;
  void *begin_ = nullptr, *end_ = nullptr, *graph_ = nullptr;  ///< events, and an instantiated graph
};

}  // namespace warploom::bench
