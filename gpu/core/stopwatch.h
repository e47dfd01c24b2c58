#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "gpu/core/queue.h"

namespace warploom {

/// One timed launch.
struct TimingSample {
  const char* kernel = "";     ///< the launch's name
  int track = 0;               ///< which track launched it
  std::uint64_t settings = 0;  ///< hash of the parameters it ran under: samples of two settings never mix
  double milliseconds = 0;
  std::uint64_t bytes = 0;  ///< fewest bytes the kernel must move; 0 where that says nothing
};

/// Times launches without waiting for them: a ring of CUDA event pairs read later (`collect`), or steady_clock on the
/// CPU. A sample that is not ready when its pair is needed again is dropped and counted.
class Stopwatch {
 public:
  explicit Stopwatch(Backend backend);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// What the next launches are billed to.
  int track = 0;
  std::uint64_t settings = 0;
  bool enabled = true;

  std::function<void(const TimingSample&)> on_sample;
  std::function<void(const TimingSample&)> on_dropped;

  /// Around one launch; used by the launch function alone.
  void start(Queue& queue, const char* kernel, std::uint64_t bytes);
  void stop(Queue& queue);

  /// Several launches as one sample, from before the first to after the last: their sum, gaps included. Launches
  /// between the two are not timed apart. `abandon` forgets a span that was not finished.
  void begin_span(Queue& queue, const char* kernel, std::uint64_t bytes);
  void end_span(Queue& queue);
  void abandon_span() { in_span_ = false; }

  /// Hands over the samples that are ready; with `wait`, all that are outstanding.
  void collect(bool wait = false);

 private:
  struct Pair {
    void *begin = nullptr, *end = nullptr;
    bool pending = false;
    TimingSample sample;
  };
  bool read(Pair& pair, bool wait);

  static constexpr std::size_t ring_size = 256;
  Backend backend_;
  std::array<Pair, ring_size> ring_;
  std::size_t head_ = 0, tail_ = 0;
  bool in_span_ = false;
  TimingSample current_;
  std::chrono::steady_clock::time_point begin_;
};

/// A span of a queue's stopwatch, where it has one. Left without `finish` (a cancelled launch), it takes no sample.
class TimedSpan {
 public:
  TimedSpan(Queue& queue, const char* kernel, std::uint64_t bytes) : queue_(queue) {
    if (queue.stopwatch) queue.stopwatch->begin_span(queue, kernel, bytes);
  }
  void finish() {
    if (queue_.stopwatch) queue_.stopwatch->end_span(queue_);
  }
  ~TimedSpan() {
    if (queue_.stopwatch) queue_.stopwatch->abandon_span();
  }
  TimedSpan(const TimedSpan&) = delete;
  TimedSpan& operator=(const TimedSpan&) = delete;

 private:
  Queue& queue_;
};

}  // namespace warploom
