#pragma once
#include <atomic>
#include <memory>

#include "gpu/core/device.h"
#include "gpu/core/pool.h"

namespace warploom {

class Stopwatch;

/// Where launches go: a CUDA stream of a device, or a thread pool. Work in one queue runs in order. A queue belongs to
/// one thread: who shares it shares its stopwatch and its cancelling.
class Queue {
 public:
  /// `urgent` asks for the device's highest stream priority: pictures overtake long steps.
  /// Throws UsageError for a device that is not there.
  explicit Queue(Device device, bool urgent = false, unsigned threads = 0);
  /// Of the device that the calling thread is on.
  explicit Queue(Backend backend, bool urgent = false, unsigned threads = 0)
      : Queue(OnDevice::current(backend), urgent, threads) {}
  ~Queue();
  Queue& operator=(Queue&&) = delete;  // neither copied nor moved

  Backend backend() const { return device_.backend; }
  Device device() const { return device_; }
  Pool& pool() { return *pool_; }
  /// Threads for host work beside the launches: a pool of its own, made when it is first asked for, by the thread that
  /// gives the queue its work.
  Pool& host_pool();
  /// The cudaStream_t, or null on the CPU.
  void* stream() const { return stream_; }

  /// Waits for everything launched so far, without spinning.
  void wait();

  /// Records kernel times when set; belongs to the caller.
  Stopwatch* stopwatch = nullptr;
  /// When it becomes true, launches throw Cancelled in place of starting, and on the CPU stop between two chunks.
  const std::atomic<bool>* cancel = nullptr;
  /// Developer builds: synchronise after each launch, so that an error names its kernel (WARPLOOM_SYNC=1).
  bool synchronous = false;

 private:
  Device device_;
  std::unique_ptr<Pool> pool_, host_pool_;
  void* stream_ = nullptr;
  void* finished_ = nullptr;
};

}  // namespace warploom
