#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace warploom {

/// Long work of one thread, watched by who ordered it: how far it is, and whether it is still wanted. Each thread has
/// its own; threads that help it tell nothing.
class WatchedWork {
 public:
  /// Watches what the calling thread does while this lives, which may nest. `tell`: called by that thread with the
  /// share that is done, 0..1; may be empty. `unwanted` becomes true once the result is not needed any more: then
  /// sealing stops as well, which cancelled steps still wait for.
  WatchedWork(std::function<void(double share)> tell, const std::atomic<bool>* unwanted);
  ~WatchedWork();
  WatchedWork& operator=(WatchedWork&&) = delete;  // neither copied nor moved

  /// The flag that the calling thread's work is watched with; null: it is not watched.
  static const std::atomic<bool>* unwanted();
  /// Asked now and then in long work of the host: throws Cancelled where the calling thread's work is unwanted.
  static void go_on();
  /// So much is done, 0..1, of the part that the calling thread is at. What is told never falls.
  static void reached(double share);
  /// ... of this run of a pool, which the thread waits for; the run is over.
  static void run_reached(double share);
  static void run_ended();

 private:
  friend class PartOfWork;
  std::function<void(double)> tell_;
  const std::atomic<bool>* unwanted_;
  struct Part {
    double from = 0, to = 1;
    double runs = 1, ended = 0;  ///< of pools: as many as there will be, and so far
  };
  Part part_;  ///< that the thread is at
  double told_ = -1;
  WatchedWork* before_;
};

/// While it lives, what the calling thread does is the part between two shares, 0..1, of what it was at: so many runs
/// of a pool, of which launches on the CPU are one each.
class PartOfWork {
 public:
  PartOfWork(double from, double to, std::uint64_t runs = 1);
  ~PartOfWork();
  PartOfWork& operator=(PartOfWork&&) = delete;  // neither copied nor moved

 private:
  WatchedWork* of_;
  WatchedWork::Part before_;
};

}  // namespace warploom
