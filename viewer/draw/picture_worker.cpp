#include "viewer/draw/picture_worker.h"

#include <chrono>
#include <utility>

#include "gpu/core/stopwatch.h"
#include "viewer/base/say.h"

namespace warploom {

PictureWorker::PictureWorker(Backend backend, bool beside) : queue_(backend, true), stopwatch_(backend) {
  stopwatch_.on_sample = [this](const TimingSample& sample) {
    if (billed_) billed_->add(sample);
  };
  if (beside) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

PictureWorker::~PictureWorker() {
  if (thread_.joinable()) {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
  }
  try {
    queue_.wait();
  } catch (const std::exception& error) {
    say("painting the last pictures failed: {}", error.what());
  }
}

void PictureWorker::make(const PictureJob& job, PixelTarget target) {
  PictureRequest request = job.request;
  request.target = target;
  billed_ = job.simulation->shared_timings();
  stopwatch_.track = static_cast<int>(job.id.track);
  /// A launch that throws leaves no stopwatch behind.
  struct Timed {
    Queue& queue;
    ~Timed() { queue.stopwatch = nullptr; }
  } const timed{queue_};
  queue_.stopwatch = &stopwatch_;
  job.simulation->track(job.id.track).pictures().at(job.id.picture)->paint(queue_, request);
}

void PictureWorker::paint(const PictureJob& job, PixelTarget target) {
  window_.check("PictureWorker::paint");
  make(job, target);
}

void PictureWorker::post(PictureJob job) {
  window_.check("PictureWorker::post");
  const std::lock_guard lock(mutex_);
  Slot& slot = slots_[job.id];
  slot.waiting = std::move(job);
  slot.working = true;
  wake_.notify_all();
}

bool PictureWorker::working(PictureId id) const {
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(id);
  return found != slots_.end() && found->second.working;
}

std::optional<PictureWorker::Painted> PictureWorker::take(PictureId id) {
  window_.check("PictureWorker::take");
  const std::lock_guard lock(mutex_);
  const auto found = slots_.find(id);
  if (found == slots_.end() || !found->second.finished) return std::nullopt;
  found->second.working = false;
  return std::exchange(found->second.finished, std::nullopt);
}

std::map<PictureId, PictureWorker::Slot>::iterator PictureWorker::next() {
  const auto rank = [](const auto& slot) { return std::pair(slot->first.picture, slot->second.begun); };
  auto best = slots_.end();
  for (auto slot = slots_.begin(); slot != slots_.end(); ++slot)
    if (slot->second.waiting && (best == slots_.end() || rank(slot) < rank(best))) best = slot;
  return best;
}

void PictureWorker::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, stop, [&] { return next() != slots_.end(); });
    if (stop.stop_requested()) return;
    const PictureId slot = next()->first;
    std::optional<PictureJob> job = std::exchange(slots_[slot].waiting, std::nullopt);
    slots_[slot].begun = ++begun_;
    lock.unlock();
    Painted picture;
    picture.pixels.assign(static_cast<std::size_t>(job->width) * static_cast<std::size_t>(job->height),
                          job->request.palette.ground);
    const auto start = std::chrono::steady_clock::now();
    try {
      make(*job, {0, picture.pixels.data(), job->width, job->height});
    } catch (const std::exception& error) {
      picture.failure = error.what();
    }
    picture.milliseconds = milliseconds_since(start);
    job.reset();  // without the lock: the last owner frees the tracks
    lock.lock();
    slots_[slot].finished = std::move(picture);
    lock.unlock();
    if (on_change) on_change();
    lock.lock();
  }
}

}  // namespace warploom
