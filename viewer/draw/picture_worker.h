#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gpu/core/thread_check.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

/// Which picture of a simulation: of a track, and of its list.
struct PictureId {
  std::size_t track = 0, picture = 0;
  friend auto operator<=>(const PictureId&, const PictureId&) = default;
};

/// A picture to be made: of what, and how. The caller gives its target.
struct PictureJob {
  std::shared_ptr<Simulation> simulation;
  PictureId id;
  PictureRequest request;
  int width = 0, height = 0;
};

/// Makes pictures by the tracks' kernels with a queue of its own: where the caller stands, or beside it on a thread.
/// Knows no OpenGL. All functions but `on_change` are the window's.
class PictureWorker {
 public:
  /// `beside`: a thread is kept for `post`; else `paint` alone may be called.
  PictureWorker(Backend backend, bool beside);
  ~PictureWorker();

  /// At once, into `target`; on a device in order with the queue's launches. Throws what the launches throw.
  void paint(const PictureJob& job, PixelTarget target);
  /// The stream pictures are painted in; null on the CPU.
  void* stream() const { return queue_.stream(); }
  /// Hands the samples that are ready to the timings of their tracks.
  void collect() { stopwatch_.collect(); }

  /// Beside the window; one of an id at a time: not while `working` says so.
  void post(PictureJob job);
  bool working(PictureId id) const;
  struct Painted {
    std::vector<Rgba> pixels;
    double milliseconds = 0;
    std::string failure;  ///< why there is no picture; empty: there is
  };
  /// The finished picture of an id, once.
  std::optional<Painted> take(PictureId id);

  /// A picture is finished; called from the worker's thread. Set before the first `post`.
  std::function<void()> on_change;

 private:
  void work(const std::stop_token& stop);
  void make(const PictureJob& job, PixelTarget target);

  Queue queue_;
  Stopwatch stopwatch_;
  std::shared_ptr<Timings> billed_;  ///< touched by the thread that paints alone
  ThreadOwner window_;

  struct Slot {
    std::optional<PictureJob> waiting;
    std::optional<Painted> finished;
    bool working = false;
    std::uint64_t begun = 0;  ///< when its last picture was, counted in pictures
  };
  /// The slot to paint next: the tracks' first pictures before all others, as they matter most; else the one that was
  /// not painted for longest. By the order of posting, the first of two tracks would always come twice. End: none
  /// waits.
  std::map<PictureId, Slot>::iterator next();
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<PictureId, Slot> slots_;
  std::uint64_t begun_ = 0;
  std::jthread thread_;  // last: joined before the rest is destroyed
};

}  // namespace warploom
