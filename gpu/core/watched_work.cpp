#include "gpu/core/watched_work.h"

#include <utility>

namespace warploom {

namespace {

thread_local WatchedWork* watched = nullptr;

}  // namespace

WatchedWork::WatchedWork(std::function<void(double)> tell, const std::atomic<bool>* unwanted)
    : tell_(std::move(tell)), unwanted_(unwanted), before_(std::exchange(watched, this)) {}

WatchedWork::~WatchedWork() { watched = before_; }

const std::atomic<bool>* WatchedWork::unwanted() { return watched ? watched->unwanted_ : nullptr; }

void WatchedWork::reached(double share) {
  if (watched && watched->tell_) watched->tell_(watched->from_ + (watched->to_ - watched->from_) * share);
}

PartOfWork::PartOfWork(double from, double to) : of_(watched) {
  if (!of_) return;
  from_ = of_->from_;
  to_ = of_->to_;
  of_->from_ = from_ + (to_ - from_) * from;
  of_->to_ = from_ + (to_ - from_) * to;
  WatchedWork::reached(0);
}

PartOfWork::~PartOfWork() {
  if (!of_) return;
  of_->from_ = from_;
  of_->to_ = to_;
}

}  // namespace warploom
