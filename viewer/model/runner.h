#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "viewer/model/scene.h"

namespace warploom {

/// Runs a scene's tracks beside the window: builds, steps, paints and counts on a thread of its own. The window asks,
/// looks at the last finished step, and never waits. Without a thread (`synchronous`), requests run when asked.
class Runner {
 public:
  Runner(Backend backend, bool synchronous);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Backend backend() const { return backend_; }

  /// New tracks; the newest request wins, and what is under way is cancelled. On failure what was there stays.
  /// `fast_forward`: steps to run at once after a fresh start.
  void build(BuildRequest request, std::uint64_t fast_forward = 0);
  /// Steps, unless the last ones are still under way. Returns false then.
  bool step(unsigned steps);
  void reset();
  void write_cells(std::vector<Cell> cells, std::uint8_t value);
  /// Measures what the maps alone cost.
  void time_maps();
  /// Gives up long work: a build, a fast-forward, or a step.
  void cancel();

  std::shared_ptr<Simulation> simulation() const;
  /// What is under way and how far (0..1, below 0: unknown); empty: nothing long.
  struct Progress {
    std::string what;
    double fraction = -1;
  };
  Progress progress() const;
  bool busy() const { return busy_; }
  /// The last failure, until the next success; empty: none. In synchronous mode failures are thrown instead.
  std::string error() const;
  void clear_error();
  /// Why this run could not be replayed from its parameters: "painted", "rule changed at step 12". Empty: it can.
  std::string history() const;
  bool painted() const;
  /// Called from the runner's thread when something finished, to wake the window.
  std::function<void()> on_change;

  /// Timings of a frame's steps are taken while true.
  std::atomic<bool> measure{true};
  /// Every k-th step is sealed.
  std::atomic<unsigned> seal_every{1};
  Queue& queue() { return *queue_; }
  /// Awaits outstanding samples; synchronous mode only.
  void collect();

 private:
  struct Order {
    std::optional<std::pair<BuildRequest, std::uint64_t>> build;
    bool reset = false, map_times = false;
    unsigned steps = 0;
    std::vector<std::pair<std::vector<Cell>, std::uint8_t>> cells;
    bool empty() const { return !build && !reset && !map_times && steps == 0 && cells.empty(); }
  };
  void post();
  void work(std::stop_token stop);
  void carry_out(Order order);
  void do_build(const BuildRequest& request, std::uint64_t fast_forward);
  void do_step();
  void set_progress(const std::string& what, double fraction);

  Backend backend_;
  bool synchronous_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Stopwatch> stopwatch_;
  std::shared_ptr<Timings> timings_ = std::make_shared<Timings>();

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  Order order_;
  std::shared_ptr<Simulation> simulation_;
  BuildRequest request_;
  bool built_ = false, painted_ = false;
  std::string error_, history_;
  Progress progress_;
  std::atomic<bool> busy_{false}, cancel_{false};
  std::jthread thread_;  // last: joined before the rest is destroyed
};

}  // namespace warploom
