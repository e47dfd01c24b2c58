#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "gpu/core/queue.h"

namespace warploom {

/// A stage of a step that runs on the host beside what the queue is given: on a thread of its own, with a pool of its
/// own (Queue::host_pool), so that it never waits for the queue's launches nor they for it. It is started and awaited
/// in the same step, by the thread that steps; its time is a sample like a kernel's.
class HostStage {
 public:
  /// Starts body(pool, cancel) at once. `cancel` is the queue's, or null: long bodies look at it and return early.
  /// `await` is run before, on the same thread: its time is not the stage's.
  HostStage(
      Queue& queue, std::string kernel, std::uint64_t bytes,
      std::function<void(Pool& pool, const std::atomic<bool>* cancel)> body, std::function<void()> await = [] {});
  /// Waits for it; what it threw is lost unless `wait` was called.
  ~HostStage();
  HostStage& operator=(HostStage&&) = delete;  // neither copied nor moved

  /// Waits until it is done, and hands its time to the queue's stopwatch, if there is one. Rethrows what the body
  /// threw; throws Cancelled where the queue was cancelled meanwhile.
  void wait();

 private:
  Queue& queue_;
  std::string kernel_;
  std::uint64_t bytes_;
  std::exception_ptr failure_;
  std::chrono::steady_clock::duration took_{};
  std::thread thread_;
};

}  // namespace warploom
