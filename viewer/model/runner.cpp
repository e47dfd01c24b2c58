#include "viewer/model/runner.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/scoped_member.h"

namespace warploom {

Runner::Runner(Backend backend, bool synchronous)
    : backend_(backend),
      synchronous_(synchronous),
      queue_(std::make_unique<Queue>(backend)),
      stopwatch_(std::make_unique<Stopwatch>(backend)) {
  queue_->cancel = &cancel_;
  stopwatch_->on_sample = [timings = timings_](const TimingSample& sample) { timings->add(sample); };
  stopwatch_->on_dropped = [timings = timings_](const TimingSample& sample) { timings->add_dropped(sample); };
  if (!synchronous) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

Runner::~Runner() {
  locked([&] { ended_ = cancel_ = unwanted_ = other_wanted_ = true; });
  if (thread_.joinable()) {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
  }
}

void Runner::order(const std::function<void(Order&)>& give) {
  window_.check("Runner: an order");
  Order now;
  {
    const std::lock_guard lock(mutex_);
    give(order_);
    busy_ = !synchronous_;
    if (synchronous_) {
      std::swap(now, order_);
      cancel_ = unwanted_ = false;
    }
    wake_.notify_all();
  }
  if (!synchronous_) return;
  carry_out(std::move(now));
  set_progress({}, -1);
}

std::uint64_t Runner::build(BuildRequest request, std::uint64_t fast_forward, bool anew) {
  const std::uint64_t number = ++last_build_;
  order([&](Order& order) {
    // Steps and strokes asked of the old tracks mean nothing to the new ones.
    order = {};
    order.build = Build{std::move(request), fast_forward, number, anew};
    if (busy_) cancel_ = unwanted_ = true;
    other_wanted_ = true;
  });
  return number;
}

bool Runner::step(unsigned steps) {
  if (busy_) return false;
  order([&](Order& order) { order.steps += steps; });
  return true;
}

bool Runner::play(unsigned steps) {
  if (locked([&] { return busy_ && !(stepping_ && order_.empty()); })) return false;
  order([&](Order& order) { order.steps += steps; });
  return true;
}

void Runner::reset() {
  order([&](Order& order) {
    order.reset = true;
    order.steps = 0;
    order.changes.clear();
    // Tracks that are being built start anew when they are done; cancelled, they would never come.
    if (busy_ && !order.build && !building_) cancel_ = unwanted_ = true;
  });
}

void Runner::change(std::function<void(Queue&, Simulation&)> body, std::string history) {
  order([&](Order& order) { order.changes.push_back({std::move(body), std::move(history), false}); });
}

void Runner::change_back(std::function<void(Queue&, Simulation&)> body, std::string history) {
  order([&](Order& order) { order.changes.push_back({std::move(body), std::move(history), true}); });
}

void Runner::time_maps() {
  order([](Order& order) { order.map_times = true; });
}

void Runner::pause() {
  const std::lock_guard lock(mutex_);
  order_.steps = 0;
  if (stepping_) cancel_ = true;
}

void Runner::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_ = unwanted_ = true;
  // Judging is given up where it is all there is; a reset goes on with it.
  if (!busy_ && judging_.exchange(false)) other_wanted_ = true;
  // Given up from now on, however long it takes to end and to free its memory.
  builds_.given_up = std::max(builds_.given_up, making_);
  // Work that has not begun would not see it.
  order_.steps = 0;
  order_.map_times = false;
  if (!order_.build) return;
  order_.build->fast_forward = 0;
  if (!simulation_) return;  // the first tracks are built all the same: without them there is nothing to go back to
  builds_.given_up = std::max(builds_.given_up, order_.build->number);
  order_ = {};
  wake_.notify_all();
}

void Runner::serve(std::function<void(Queue&, Simulation&)> body) {
  if (synchronous_ || std::this_thread::get_id() == thread_.get_id()) {
    const auto current = simulation();
    if (!current) throw Error("nothing is built yet");
    const ScopedNoCancel whole(*queue_);
    return body(*queue_, *current);
  }
  std::future<void> answered;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) throw Error("the runner ends");
    questions_.push_back({std::move(body), {}});
    answered = questions_.back().answered.get_future();
    wake_.notify_all();
  }
  answered.get();  // nothing of the runner is touched after this
}

void Runner::answer_questions() {
  for (;;) {
    Question question;
    {
      const std::lock_guard lock(mutex_);
      if (questions_.empty()) return;
      question = std::move(questions_.front());
      questions_.pop_front();
    }
    if (const auto current = simulation()) {
      const ScopedNoCancel whole(*queue_);
      question.body(*queue_, *current);
      question.answered.set_value();
    } else {
      question.answered.set_exception(std::make_exception_ptr(Error("nothing is built yet")));
    }
  }
}

void Runner::refuse_questions() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (auto& question : questions_) question.answered.set_exception(std::make_exception_ptr(Error("the runner ends")));
  questions_.clear();
}

Runner::Progress Runner::progress() const {
  const std::lock_guard lock(mutex_);
  // Work that gives way to a newer build shows none.
  const bool gives_way = making_ && (builds_.given_up >= making_ || order_.build);
  return gives_way ? Progress{} : progress_;
}

void Runner::clear_error() {
  locked([&] { error_.clear(); });
}

void Runner::set_on_change(std::function<void()> wake) {
  const std::lock_guard lock(notify_mutex_);
  on_change_ = std::move(wake);
}

void Runner::notify() {
  const std::lock_guard lock(notify_mutex_);
  if (on_change_) on_change_();
}

void Runner::collect() { stopwatch_->collect(true); }

void Runner::set_progress(const std::string& what, double fraction) {
  locked([&] { progress_ = {what, fraction}; });
}

}  // namespace warploom
