#pragma once
#include <atomic>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

namespace warploom {

/// While it lives, SIGINT, SIGTERM and SIGHUP ask the program to end in order: the first is noted, the second ends it
/// at once. One that was ignored when the program began, as nohup does, stays ignored. Made before other threads, which
/// inherit that the signals are blocked.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals& operator=(StopSignals&&) = delete;  // neither copied nor moved

  /// The signal that came; 0: none.
  int number() const { return number_; }

  /// While it lives, `act` is called in a thread of its own when a signal comes.
  class Watch {
   public:
    Watch(StopSignals& of, std::function<void()> act);
    ~Watch();
    Watch& operator=(Watch&&) = delete;

   private:
    StopSignals& of_;
  };

 private:
  void wait_for_signals();

  sigset_t watched_{}, before_{};
  std::atomic<int> number_{0};
  std::mutex mutex_;
  std::function<void()> act_;
  int signals_ = -1, end_ = -1;  ///< file descriptors
  std::thread thread_;
};

}  // namespace warploom
