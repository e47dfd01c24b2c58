// What the runner's own thread does with orders.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "gpu/core/error.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/tracks/own_judging_time.h"
#include "viewer/model/runner.h"

namespace warploom {

namespace {

/// Which of the old tracks each of the new ones is; -1: none, as all are without old ones.
std::vector<int> kept_tracks(const Simulation* old, const Simulation& now) {
  std::vector<int> from(now.size(), -1);
  for (std::size_t i = 0; old && i < now.size(); ++i)
    for (std::size_t j = 0; j < old->size(); ++j)
      if (old->track(j).info().name == now.track(i).info().name) from[i] = static_cast<int>(j);
  return from;
}

}  // namespace

void Runner::work(const std::stop_token& stop) {
  // The window's thread comes first where cores are few: the engine yields to it.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 5);
  for (;;) {
    Order order;
    {
      std::unique_lock lock(mutex_);
      if (order_.empty()) busy_ = false;
      // An order that was taken back before it began is over, too.
      wake_.wait(lock, stop, [&] { return !order_.empty() || !questions_.empty() || busy_ || judging_; });
      if (stop.stop_requested() || ended_) break;
      std::swap(order, order_);
      cancel_ = unwanted_ = other_wanted_ = false;
      building_ = order.build.has_value();
      making_ = building_ ? order.build->number : 0;
      // From here on `pause` cancels them.
      stepping_ = order.only_steps() && order.steps > 0;
    }
    const std::uint64_t build = order.build ? order.build->number : 0;
    if (!build) answer_questions();  // else the new tracks answer them
    try {
      if (order.empty())
        go_on_judging();
      else
        carry_out(std::move(order));
    } catch (const Cancelled&) {
      // Asked for: a newer order follows, or the user gave up. What was published stays.
    } catch (const std::exception& error) {
      locked([&] { error_ = error.what(); });
    }
    {
      const std::lock_guard lock(mutex_);
      const auto judged = judging_ && simulation_ ? simulation_->judged() : std::nullopt;
      progress_ = judged ? Progress{"judging your map", *judged} : Progress{};
      building_ = stepping_ = false;
      making_ = replays_to_ = 0;
      if (build && builds_.shown != build && !order_.build) builds_.given_up = std::max(builds_.given_up, build);
      if (order_.empty()) busy_ = false;
    }
    notify();
  }
  refuse_questions();
}

void Runner::carry_out(Order order) {
  const WatchedWork watched({}, &unwanted_);
  if (order.build) do_build(*order.build);
  locked([&] { replays_to_ = 0; });
  const auto current = simulation();
  if (!current) return;
  if (order.reset) do_reset(*current);
  for (const auto& change : order.changes) do_change(*current, change);
  if (order.map_times) {
    while (judging_ && !cancel_) go_on_judging();
    set_progress("timing the maps alone", -1);
    current->time_maps(*queue_, 15);
  }
  if (order.steps > 0) do_steps(order.steps);
}

void Runner::do_steps(unsigned steps) {
  locked([&] { stepping_ = true; });
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < steps;) {
    // Not for work that ends before the text could be read.
    if (std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300))
      set_progress("step " + std::to_string(i) + " of " + std::to_string(steps), double(i) / steps);
    i += take_steps(steps - i);
  }
}

void Runner::go_on_judging() {
  if (!judging_) return;
  constexpr double seconds = .03;
  const auto current = simulation();
  if (!current) {
    judging_ = false;
    return;
  }
  try {
    const ScopedMember<&Queue::cancel> gives_way(*queue_, &other_wanted_);
    current->judge(*queue_, seconds);
  } catch (const Cancelled&) {
    return;  // a build is wanted, or nothing: cancel() says so
  } catch (...) {
    judging_ = false;
    throw;
  }
  if (!current->judged()) judging_ = false;
}

void Runner::do_reset(Simulation& current) {
  const auto started = [&] {
    current.timings().clear();
    judging_ = current.judged().has_value();
    const std::lock_guard lock(mutex_);
    history_ = request_.history;
    painted_ = false;
  };
  const std::uint64_t before = current.version();
  try {
    request_.start_state(*queue_, current);
  } catch (const Cancelled&) {  // perhaps while the start state was sealed: then it is there
    if (current.version() != before) started();
    throw;
  }
  started();
}

void Runner::do_change(Simulation& current, const Change& change) {
  const ScopedNoCancel whole(*queue_);
  {
    // Also if it throws: what it changed so far was changed by hand.
    const std::lock_guard lock(mutex_);
    painted_ = !change.restores || !change.history.empty();
    history_ = change.restores ? change.history : change.history + " at step " + std::to_string(current.steps());
  }
  try {
    change.body(*queue_, current);
  } catch (...) {
    current.seal(*queue_, nullptr);
    throw;
  }
  current.seal(*queue_, nullptr);
}

std::uint64_t Runner::take_steps(std::uint64_t most) {
  const auto current = simulation();
  if (cancel_) throw Cancelled();
  stopwatch_->enabled = measure;
  // Publishes long batches in parts, so that pictures and questions go on meanwhile.
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t taken = current->steps(*queue_, measure ? stopwatch_.get() : nullptr, most, [&] {
    return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(150);
  });
  answer_questions();
  go_on_judging();
  return taken;
}

void Runner::release(std::shared_ptr<Simulation>& tracks) {
  locked([&] {
    simulation_.reset();
    judging_ = false;
  });
  // A frame that still shows them holds them for some milliseconds.
  for (int i = 0; i < 200 && tracks.use_count() > 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  tracks.reset();
}

void Runner::do_build(const Build& build) {
  const BuildRequest& request = build.request;  // no binding: lambdas capture it
  const bool anew = build.anew;
  auto old = simulation();
  set_progress("allocating", -1);
  const bool keep = !anew && old && builds_.shown != 0 && request.start == request_.start;
  std::optional<WatchedWork> watched(
      std::in_place, [this](double share) { locked([&] { progress_.fraction = share; }); }, &unwanted_);
  const auto made = [&] {
    std::optional<PartOfWork> part(std::in_place, 0, .1);
    // A window shows the first picture without waiting for what takes longer.
    std::optional<OwnJudgingTime> judged;
    if (!synchronous_) judged.emplace(.25);
    auto next = std::make_shared<Simulation>(request.make_tracks(*queue_), timings_, request.settings,
                                             request.make_hidden ? request.make_hidden(*queue_) : nullptr);
    next->set_letters(request.letters);
    set_progress(keep ? "copying the state" : "filling the domain", .1);
    part.reset();
    part.emplace(.1, 1);
    if (keep)
      next->adopt(*queue_, *old);
    else
      request.start_state(*queue_, *next);
    return next;
  };
  // Frees the old tracks first if both do not fit and the new ones need nothing from them.
  const bool may_release = old && !keep;
  try {
    request.check_memory(0);
  } catch (const UsageError&) {
    if (!may_release) throw;
    request.check_memory(old->bytes());
    release(old);
  }
  std::shared_ptr<Simulation> next;
  try {
    next = made();
  } catch (const MemoryError&) {  // what tracks need may be known only when they are made
    if (!may_release || !old) throw;
    release(old);
    next = made();
  }
  watched.reset();
  set_progress("counting threads", -1);
  stopwatch_->collect(true);
  {
    const std::lock_guard lock(mutex_);
    if (builds_.given_up >= build.number) throw Cancelled();
    timings_->keep(kept_tracks(keep && request.settings == request_.settings ? old.get() : nullptr, *next));
    making_ = 0;
    if (keep && request.logic != request_.logic && old->steps() > 0)
      history_ = request.logic_name + " since step " + std::to_string(old->steps());
    if (!keep) {
      history_ = request.history;
      painted_ = false;
    }
    simulation_ = next;
    request_ = request;
    builds_.shown = build.number;
    replays_to_ = build.fast_forward > 0 ? next->steps() + build.fast_forward : 0;
    judging_ = next->judged().has_value();
    error_.clear();
  }
  if (on_made) on_made(*next);
  notify();
  if (!synchronous_) answer_questions();
  next->count(*queue_);
  locked([&] { building_ = false; });
  const bool measured = measure.exchange(false);
  for (std::uint64_t i = 0; i < build.fast_forward;) {
    set_progress("replaying to step " + std::to_string(build.fast_forward), double(i) / double(build.fast_forward));
    try {
      i += take_steps(build.fast_forward - i);
    } catch (...) {
      measure = measured;
      throw;
    }
  }
  measure = measured;
}

}  // namespace warploom
