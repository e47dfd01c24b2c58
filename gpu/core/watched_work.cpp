#include "gpu/core/watched_work.h"

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"

namespace warploom {

namespace {

thread_local WatchedWork* watched = nullptr;

}  // namespace

WatchedWork::WatchedWork(std::function<void(double)> tell, const std::atomic<bool>* unwanted)
    : tell_(std::move(tell)), unwanted_(unwanted), before_(std::exchange(watched, this)) {}

WatchedWork::~WatchedWork() { watched = before_; }

const std::atomic<bool>* WatchedWork::unwanted() { return watched ? watched->unwanted_ : nullptr; }

void WatchedWork::go_on() {
  const std::atomic<bool>* flag = unwanted();
  if (flag && flag->load(std::memory_order_relaxed)) throw Cancelled();
}

void WatchedWork::reached(double share) {
  if (!watched || !watched->tell_) return;
  const Part& part = watched->part_;
  const double whole = part.from + (part.to - part.from) * std::min(1., share);
  constexpr double least = 1e-3;  // less cannot be read
  if (whole < watched->told_ + least) return;
  watched->told_ = whole;
  watched->tell_(whole);
}

void WatchedWork::run_reached(double share) {
  if (watched && watched->tell_) reached((watched->part_.ended + share) / watched->part_.runs);
}

void WatchedWork::run_ended() {
  if (watched && watched->part_.ended + 1 < watched->part_.runs) ++watched->part_.ended;  // the last one ends the part
}

PartOfWork::PartOfWork(double from, double to, std::uint64_t runs) : of_(watched) {
  if (!of_) return;
  before_ = of_->part_;
  const double size = before_.to - before_.from;
  of_->part_ = {before_.from + size * from, before_.from + size * to,
                static_cast<double>(std::max<std::uint64_t>(1, runs)), 0};
  WatchedWork::reached(0);
}

PartOfWork::~PartOfWork() {
  if (of_) of_->part_ = before_;
}

}  // namespace warploom
