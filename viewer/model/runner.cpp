#include "viewer/model/runner.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gpu/core/error.h"

namespace warploom {

Runner::Runner(Backend backend, bool synchronous)
    : backend_(backend),
      synchronous_(synchronous),
      queue_(std::make_unique<Queue>(backend)),
      stopwatch_(std::make_unique<Stopwatch>(backend)) {
  queue_->cancel = &cancel_;
  stopwatch_->on_sample = [timings = timings_](const TimingSample& sample) { timings->add(sample); };
  stopwatch_->on_dropped = [timings = timings_](const TimingSample& sample) { timings->add_dropped(sample); };
  if (!synchronous) thread_ = std::jthread([this](std::stop_token stop) { work(stop); });
}

Runner::~Runner() {
  cancel_ = true;
  if (thread_.joinable()) {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
  }
}

void Runner::post() {
  if (synchronous_) {
    Order order;
    std::swap(order, order_);
    cancel_ = false;
    carry_out(std::move(order));
    progress_ = {};
    return;
  }
  wake_.notify_all();
}

void Runner::build(BuildRequest request, std::uint64_t fast_forward) {
  {
    const std::lock_guard lock(mutex_);
    // Steps and strokes asked of the old tracks mean nothing to the new ones.
    order_ = {};
    order_.build = {std::move(request), fast_forward};
    if (busy_) cancel_ = true;
    busy_ = !synchronous_;
  }
  post();
}

bool Runner::step(unsigned steps) {
  if (busy_) return false;
  {
    const std::lock_guard lock(mutex_);
    order_.steps += steps;
    busy_ = !synchronous_;
  }
  post();
  return true;
}

void Runner::reset() {
  {
    const std::lock_guard lock(mutex_);
    order_.reset = true;
    order_.steps = 0;
    order_.cells.clear();
    if (busy_ && !order_.build) cancel_ = true;
    busy_ = !synchronous_;
  }
  post();
}

void Runner::write_cells(std::vector<Cell> cells, std::uint8_t value) {
  {
    const std::lock_guard lock(mutex_);
    order_.cells.emplace_back(std::move(cells), value);
    busy_ = !synchronous_;
  }
  post();
}

void Runner::time_maps() {
  {
    const std::lock_guard lock(mutex_);
    order_.map_times = true;
    busy_ = !synchronous_;
  }
  post();
}

void Runner::cancel() { cancel_ = true; }

std::shared_ptr<Simulation> Runner::simulation() const {
  const std::lock_guard lock(mutex_);
  return simulation_;
}
Runner::Progress Runner::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}
std::string Runner::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}
void Runner::clear_error() {
  const std::lock_guard lock(mutex_);
  error_.clear();
}
std::string Runner::history() const {
  const std::lock_guard lock(mutex_);
  return history_;
}
bool Runner::painted() const {
  const std::lock_guard lock(mutex_);
  return painted_;
}

void Runner::collect() { stopwatch_->collect(true); }

void Runner::set_progress(const std::string& what, double fraction) {
  const std::lock_guard lock(mutex_);
  progress_ = {what, fraction};
}

void Runner::work(std::stop_token stop) {
  // The window's thread comes first where cores are few: the engine yields to it.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 5);
  for (;;) {
    Order order;
    {
      std::unique_lock lock(mutex_);
      if (order_.empty()) busy_ = false;
      if (!wake_.wait(lock, stop, [&] { return !order_.empty(); })) return;
      std::swap(order, order_);
      cancel_ = false;
    }
    try {
      carry_out(std::move(order));
    } catch (const Cancelled&) {
      // Asked for: a newer order follows, or the user gave up. What was published stays.
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      error_ = error.what();
    }
    {
      const std::lock_guard lock(mutex_);
      progress_ = {};
      if (order_.empty()) busy_ = false;
    }
    if (on_change) on_change();
  }
}

void Runner::carry_out(Order order) {
  if (order.build) do_build(order.build->first, order.build->second);
  const auto current = simulation();
  if (!current) return;
  if (order.reset) {
    request_.start_state(*queue_, *current);
    current->timings().clear();
    const std::lock_guard lock(mutex_);
    history_.clear();
    painted_ = false;
  }
  for (const auto& [cells, value] : order.cells) {
    current->write_cells(*queue_, cells, value);
    const std::lock_guard lock(mutex_);
    painted_ = true;
    history_ = "painted at step " + std::to_string(current->steps());
  }
  if (order.map_times) {
    set_progress("timing the maps alone", -1);
    current->time_maps(*queue_, 15);
  }
  for (unsigned i = 0; i < order.steps; ++i) do_step();
}

void Runner::do_step() {
  const auto current = simulation();
  stopwatch_->enabled = measure;
  const unsigned every = seal_every;
  current->step(*queue_, measure ? stopwatch_.get() : nullptr, every <= 1 || (current->steps() + 1) % every == 0);
}

void Runner::do_build(const BuildRequest& request, std::uint64_t fast_forward) {
  auto old = simulation();
  set_progress("allocating", -1);
  const bool keep = old && built_ && request.start == request_.start;
  bool release_first = false;
  try {
    request.check_memory(0);
  } catch (const UsageError&) {
    // Both do not fit. If the new tracks fit alone, and need nothing from the old ones, the old ones go first.
    if (!old || keep) throw;
    request.check_memory(old->bytes());
    release_first = true;
  }
  if (release_first) {
    {
      const std::lock_guard lock(mutex_);
      simulation_.reset();
    }
    // A frame that still shows the old tracks holds them for some milliseconds.
    for (int i = 0; i < 200 && old.use_count() > 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    old.reset();
  }
  auto next = std::make_shared<Simulation>(request.make_tracks(*queue_), timings_, request.settings,
                                           request.make_hidden ? request.make_hidden(*queue_) : nullptr);
  set_progress(keep ? "copying the state" : "filling the domain", -1);
  if (keep)
    next->adopt(*queue_, *old);
  else
    request.start_state(*queue_, *next);
  set_progress("counting threads", -1);
  stopwatch_->collect(true);
  timings_->clear();
  {
    const std::lock_guard lock(mutex_);
    if (keep && request.logic != request_.logic && old->steps() > 0)
      history_ = request.logic_name + " since step " + std::to_string(old->steps());
    if (!keep) {
      history_.clear();
      painted_ = false;
    }
    simulation_ = next;
    request_ = request;
    built_ = true;
    error_.clear();
  }
  if (on_change) on_change();
  next->count(*queue_);
  const bool measured = measure.exchange(false);
  for (std::uint64_t i = 0; i < fast_forward; ++i) {
    if (i % 16 == 0)
      set_progress("replaying to step " + std::to_string(fast_forward), double(i) / double(fast_forward));
    try {
      do_step();
    } catch (...) {
      measure = measured;
      throw;
    }
  }
  measure = measured;
}

}  // namespace warploom
