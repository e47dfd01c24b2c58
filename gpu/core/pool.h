#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace warploom {

/// A fixed set of threads that share out a range of chunks. One run at a time; the caller works too.
/// Our own, because a correct loop on the packaged TBB gives false reports under the thread sanitizer.
class Pool {
 public:
  /// `threads` counts the caller: 1 starts none. 0 takes one for each hardware thread.
  explicit Pool(unsigned threads = 0);
  ~Pool();
  Pool& operator=(Pool&&) = delete;  // neither copied nor moved

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls body(chunk) for every chunk in [0, chunks), in any order, on all threads; returns when all are done.
  /// When `cancel` becomes true no further chunk starts. The first exception of a body is thrown here.
  /// Returns false when cancelled.
  bool run(std::uint64_t chunks, const std::function<void(std::uint64_t)>& body,
           const std::atomic<bool>* cancel = nullptr);

  /// For a body that waits for another chunk: gives its core away for a moment. Throws Cancelled when the run that the
  /// calling thread works for was given up (a body threw, or `cancel` is set): what it waits for may never come.
  static void pause();

 private:
  void work(const std::stop_token& stop);
  void take_chunks();

  std::mutex run_mutex_, mutex_;
  std::condition_variable_any wake_, done_;
  const std::function<void(std::uint64_t)>* body_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  std::atomic<std::uint64_t> next_{0};
  std::uint64_t chunks_ = 0, generation_ = 0;
  unsigned busy_ = 0;
  std::atomic<bool> failed_{false};  ///< a body of this run threw
  std::exception_ptr failure_;
  std::vector<std::jthread> workers_;  // last: joined before the rest is destroyed
};

}  // namespace warploom
