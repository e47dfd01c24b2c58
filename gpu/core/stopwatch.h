#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/core/queue.h"

namespace warploom {

/// One timed launch, or a span of several.
struct TimingSample {
  std::string kernel;          ///< the launch's name; its own, for the track that launched it may be gone by now
  int track = 0;               ///< which track launched it
  std::uint64_t settings = 0;  ///< hash of the parameters it ran under: samples of two settings never mix
  double milliseconds = 0;
  std::uint64_t bytes = 0;  ///< fewest bytes the kernel must move; 0 where that says nothing
  std::uint64_t step = 0;   ///< which attempt at a step, counted over a simulation's life: samples of one are compared
  /// Of how many steps it is the mean, and how many launches those were.
  std::uint64_t steps = 1, launches = 1;
};

/// Times launches without waiting for them: a ring of CUDA event pairs read later (`collect`), or steady_clock on the
/// CPU. A sample that is not ready when its pair is needed again is dropped and counted. Every call belongs to the
/// thread of the queue it times, `collect` too.
class Stopwatch {
 public:
  explicit Stopwatch(Backend backend);
  ~Stopwatch();
  Stopwatch& operator=(Stopwatch&&) = delete;  // neither copied nor moved

  /// What the next launches are billed to.
  int track = 0;
  std::uint64_t settings = 0;
  std::uint64_t step = 0;
  bool enabled = true;

  std::function<void(const TimingSample&)> on_sample;
  std::function<void(const TimingSample&)> on_dropped;

  /// A sample that was timed elsewhere, by the host's clock; inside a span of the same name it is a part of that.
  void record(const std::string& kernel, std::uint64_t bytes, double milliseconds, std::uint64_t launches = 1);

  /// Hands over the samples that are ready; with `wait`, all that are outstanding.
  void collect(bool wait = false);

 private:
  friend class TimedSpan;
  struct NoEvents {};
  Stopwatch(Backend backend, NoEvents) : backend_(backend) {}
  /// Opens a span inside those that are open; closes or forgets the innermost one.
  void open(Queue& queue, const char* kernel, std::uint64_t bytes);
  void close(Queue& queue, std::uint64_t steps, std::uint64_t launches);
  void abandon();

  struct Pair {
    void *begin = nullptr, *end = nullptr;
    enum class State { free, open, pending } state = State::free;
    TimingSample sample;
  };
  struct Open {
    TimingSample sample;
    std::chrono::steady_clock::time_point begin;
    Pair* pair = nullptr;        ///< of CUDA
    bool silent = false;         ///< part of the span around it
    std::uint64_t launches = 0;  ///< inside it
  };
  bool read(Pair& pair, bool wait);

  static constexpr std::size_t ring_size = 256;
  [[maybe_unused]] Backend backend_;  ///< without CUDA there is one alone
  std::array<Pair, ring_size> ring_;
  std::size_t head_ = 0, tail_ = 0;
  std::vector<Open> open_;
};

/// One sample of what a queue is given from here to `finish`, where the queue has a stopwatch: a launch, or several
/// with the gaps between them. Spans nest: a pipeline gives its stages and their sum. Inside a span of the same name a
/// launch is part of it, and no sample of its own. Left without `finish` (a cancelled launch), it takes no sample.
class TimedSpan {
 public:
  TimedSpan(Queue& queue, const char* kernel, std::uint64_t bytes) : queue_(queue), stopwatch_(queue.stopwatch) {
    if (stopwatch_) stopwatch_->open(queue, kernel, bytes);
  }
  /// The sample is the mean of so many steps, which were so many launches; 0: as many as were made inside.
  void finish(std::uint64_t steps = 1, std::uint64_t launches = 0) {
    if (stopwatch_) stopwatch_->close(queue_, steps, launches);
    stopwatch_ = nullptr;
  }
  ~TimedSpan() {
    if (stopwatch_) stopwatch_->abandon();
  }
  TimedSpan& operator=(TimedSpan&&) = delete;  // neither copied nor moved

 private:
  Queue& queue_;
  Stopwatch* stopwatch_;
};

/// By the host's clock.
inline double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// How long `body` takes.
template <class Body>
double milliseconds_of(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return milliseconds_since(begin);
}

}  // namespace warploom
