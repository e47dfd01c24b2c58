#include "gpu/core/pool.h"

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/thread.h"
#include "gpu/core/watched_work.h"

namespace warploom {

namespace {

/// What the calling thread works for; null: for no run that is shared.
struct Shared {
  const std::atomic<bool>*failed = nullptr, *cancel = nullptr;
};
thread_local Shared working_for;

/// Runs nest: a body may launch in another queue.
class WorksFor {
 public:
  explicit WorksFor(Shared run) : before_(std::exchange(working_for, run)) {}
  ~WorksFor() { working_for = before_; }
  WorksFor& operator=(WorksFor&&) = delete;  // neither copied nor moved

 private:
  Shared before_;
};

}  // namespace

void Pool::pause() {
  const auto [failed, cancel] = working_for;
  if ((failed && failed->load(std::memory_order_relaxed)) || (cancel && cancel->load(std::memory_order_relaxed)))
    throw Cancelled();
  std::this_thread::yield();
}

Pool::Pool(unsigned threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

Pool::~Pool() {
  for (auto& worker : workers_) worker.request_stop();
  wake_.notify_all();
}

void detail::pause_in_pool() { Pool::pause(); }

void Pool::take_chunks() {
  const WorksFor run({&failed_, cancel_});
  for (;;) {
    if (cancel_ && cancel_->load(std::memory_order_relaxed)) return;
    const std::uint64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
    if (chunk >= chunks_) return;
    WatchedWork::run_reached(static_cast<double>(chunk) / static_cast<double>(chunks_));
    try {
      (*body_)(chunk);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
      next_.store(chunks_, std::memory_order_relaxed);
    }
  }
}

void Pool::work(const std::stop_token& stop) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [&] { return generation_ != seen; })) {
    seen = generation_;
    lock.unlock();
    take_chunks();
    lock.lock();
    if (--busy_ == 0) done_.notify_all();
  }
}

bool Pool::run(std::uint64_t chunks, const std::function<void(std::uint64_t)>& body, const std::atomic<bool>* cancel) {
  if (chunks == 1) {  // nothing to share, and nothing to wait for
    if (cancel && cancel->load()) return false;
    const WorksFor run({nullptr, cancel});
    body(0);
    WatchedWork::run_ended();
    return true;
  }
  const std::lock_guard one_at_a_time(run_mutex_);
  const bool shared = chunks > 0 && !workers_.empty();
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    cancel_ = cancel;
    chunks_ = chunks;
    failure_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    next_.store(0, std::memory_order_relaxed);
    busy_ = shared ? static_cast<unsigned>(workers_.size()) : 0;
    if (shared) ++generation_;
  }
  if (shared) wake_.notify_all();  // busy_ is the workers' by now: one that woke by itself may be done
  take_chunks();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
  body_ = nullptr;
  WatchedWork::run_ended();
  if (failure_) std::rethrow_exception(failure_);
  return !(cancel && cancel->load());
}

}  // namespace warploom
