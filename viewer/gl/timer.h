#pragma once
#include <cstdint>
#include <deque>
#include <vector>

namespace warploom::gl {

/// How long the GPU was at work between begin() and end(), from OpenGL timestamps that are read when they have
/// arrived. Nothing here waits, so it may stay in the frame loop.
class GpuTimer {
 public:
  struct Sample {
    std::uint64_t tag;  ///< what begin() was given: the hash of the parameters measured
    double milliseconds;
  };

  /// `depth` measurements may be under way at once.
  explicit GpuTimer(int depth = 8);
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  ~GpuTimer();

  /// Pairs may not be nested within one timer. Where all are still under way the measurement is dropped and counted.
  void begin(std::uint64_t tag = 0);
  void end();

  /// What has arrived since the last call, oldest first.
  std::vector<Sample> collect();
  /// Measurements that were never taken for want of a free pair.
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Pair {
    unsigned begin = 0, end = 0;
    std::uint64_t tag = 0;
  };
  std::vector<Pair> free_;
  std::deque<Pair> under_way_;  ///< oldest first
  Pair current_;
  bool open_ = false;
  std::uint64_t dropped_ = 0;
};

}  // namespace warploom::gl
