#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include "gpu/core/thread_check.h"
#include "viewer/model/scene.h"

namespace warploom {

/// Runs a scene's tracks beside the window: builds, steps, changes and counts on a thread of its own. The window
/// orders, looks at the last finished step, and waits for nothing but the answers it asks for. Without a thread
/// (`synchronous`), orders are carried out when given.
/// Nothing else has the queue of the tracks: what reads or changes a state goes through `ask` or `change`.
class Runner {
 public:
  Runner(Backend backend, bool synchronous);
  ~Runner();

  Backend backend() const { return backend_; }

  // ---- the window's thread: the first that orders something -----------------------------------------------------
  /// New tracks; the newest request wins, and what is under way is cancelled. On failure what was there stays.
  /// `fast_forward`: steps to run at once. `anew`: from the start state also where that is the one that runs already,
  /// whose state and step are kept else. Returns the number of the build, from 1.
  std::uint64_t build(BuildRequest request, std::uint64_t fast_forward = 0, bool anew = false);
  /// Steps, unless the last ones are still under way. Returns false then.
  bool step(unsigned steps);
  /// Steps of a scene that plays, asked for once a frame: also while the last ones are under way, so that those that
  /// end between two frames do not wait for the next. Never more than one frame's ahead; false then.
  bool play(unsigned steps);
  void reset();
  /// Changes the state by hand, between two steps; it is not cancelled half way, and sealed afterwards. `history` says
  /// what was done ("painted"): the run cannot be replayed from its parameters any more.
  void change(std::function<void(Queue&, Simulation&)> body, std::string history);
  /// Brings back a state that there was, with the history that it had.
  void change_back(std::function<void(Queue&, Simulation&)> body, std::string history);
  /// Measures what the maps alone cost.
  void time_maps();

  // ---- any thread -----------------------------------------------------------------------------------------------
  /// What body(queue, simulation) answers, run between two steps; waits for it, not for the end of a batch. A build
  /// that was ordered before is waited for. What the body throws is thrown here; Error where nothing is built, or the
  /// runner ends.
  template <class Body>
  auto ask(Body&& body) {
    std::packaged_task<std::invoke_result_t<Body&, Queue&, Simulation&>(Queue&, Simulation&)> task(std::ref(body));
    auto answer = task.get_future();
    serve([&](Queue& queue, Simulation& simulation) { task(queue, simulation); });
    return answer.get();
  }
  /// Gives up the steps that were asked for, those under way too; nothing else.
  void pause();
  /// Gives up long work: a build, a fast-forward, steps, measuring.
  void cancel();
  std::shared_ptr<Simulation> simulation() const { return copied(simulation_); }
  /// What is under way and how far (0..1, below 0: unknown); empty: nothing long.
  struct Progress {
    std::string what;
    double fraction = -1;
  };
  Progress progress() const;
  bool busy() const { return busy_; }
  /// Maps that users wrote are being judged, between steps and orders: what is shown of them is not all there is.
  bool judging() const { return judging_; }
  /// The step that new tracks are being replayed to; 0: they are not.
  std::uint64_t replays_to() const { return copied(replays_to_); }
  /// How builds ended, by their numbers; 0: none did. One that a newer order took the place of is in neither.
  struct Builds {
    std::uint64_t shown = 0;     ///< the last whose tracks are there
    std::uint64_t given_up = 0;  ///< the last that failed or was cancelled, so that the tracks before it stay
  };
  Builds builds() const { return copied(builds_); }
  /// The last failure, until the next success; empty: none. In synchronous mode failures are thrown instead.
  std::string error() const { return copied(error_); }
  void clear_error();
  /// Why this run could not be replayed from its parameters: "painted", "rule changed at step 12". Empty: it can.
  std::string history() const { return copied(history_); }
  /// The state was changed by hand: it is no start state stepped.
  bool painted() const { return copied(painted_); }
  /// What is called from the runner's thread when something finished, to wake the window; null: nothing. Any time: when
  /// it returns, what was set before runs no more.
  void set_on_change(std::function<void()> wake);
  /// Called with tracks that were made, in the thread that made them. Set before the first are ordered.
  std::function<void(const Simulation&)> on_made;

  /// Timings of a frame's steps are taken while true.
  std::atomic<bool> measure{true};
  /// Awaits outstanding samples; synchronous mode only.
  void collect();

 private:
  struct Change {
    std::function<void(Queue&, Simulation&)> body;
    std::string history;
    bool restores;  ///< `history` is what there was, else what happens now
  };
  struct Build {
    BuildRequest request;
    std::uint64_t fast_forward, number;
    bool anew;
  };
  struct Order {
    std::optional<Build> build;
    bool reset = false, map_times = false;
    unsigned steps = 0;
    std::vector<Change> changes;
    bool empty() const { return only_steps() && steps == 0; }
    bool only_steps() const { return !build && !reset && !map_times && changes.empty(); }
  };
  struct Question {
    std::function<void(Queue&, Simulation&)> body;
    std::promise<void> answered;
  };
  template <class Field>
  Field copied(const Field& field) const {
    const std::lock_guard lock(mutex_);
    return field;
  }
  template <class Act>
  auto locked(Act&& act) {
    const std::lock_guard lock(mutex_);
    return act();
  }
  void order(const std::function<void(Order&)>& give);
  void serve(std::function<void(Queue&, Simulation&)> body);
  void answer_questions();
  void refuse_questions();
  void work(const std::stop_token& stop);
  void carry_out(Order order);
  void do_steps(unsigned steps);
  void do_reset(Simulation& current);
  void do_change(Simulation& current, const Change& change);
  void do_build(const Build& build);
  /// Frees the tracks that are shown, before their replacement is made.
  void release(std::shared_ptr<Simulation>& tracks);
  /// A part of judging what was built, where that is not over.
  void go_on_judging();
  /// Takes at most `most` steps, for some tenths of a second, and seals the last one; then answers what was asked.
  std::uint64_t take_steps(std::uint64_t most);
  void set_progress(const std::string& what, double fraction);

  Backend backend_;
  bool synchronous_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Stopwatch> stopwatch_;
  std::shared_ptr<Timings> timings_ = std::make_shared<Timings>();

  void notify();
  std::mutex notify_mutex_;  ///< held while the window is woken
  std::function<void()> on_change_;

  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  Order order_;
  std::deque<Question> questions_;
  bool ended_ = false;  ///< no more questions are taken
  std::shared_ptr<Simulation> simulation_;
  BuildRequest request_;
  Builds builds_;
  std::uint64_t last_build_ = 0;
  std::uint64_t making_ = 0;  ///< the build whose tracks are under way; 0: none
  std::uint64_t replays_to_ = 0;
  bool building_ = false, stepping_ = false, painted_ = false;
  std::string error_, history_;
  Progress progress_;
  /// `unwanted_`: what is under way is not needed, the seal of what was stepped neither.
  std::atomic<bool> busy_{false}, cancel_{false}, unwanted_{false};
  std::atomic<bool> judging_{false};       ///< set by the thread that steps
  std::atomic<bool> other_wanted_{false};  ///< judging is to give way: begun anew where nothing takes its place
  ThreadOwner window_;
  std::jthread thread_;  // last: joined before the rest is destroyed
};

}  // namespace warploom
