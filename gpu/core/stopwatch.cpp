#include "gpu/core/stopwatch.h"

#include <algorithm>

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

Stopwatch::Stopwatch(Backend backend) : Stopwatch(backend, NoEvents{}) {  // an exception below ends in the destructor
#if WARPLOOM_WITH_CUDA
  if (backend_ == Backend::cuda)
    for (auto& pair : ring_) {
      pair.begin = make_event(cudaEventBlockingSync);
      pair.end = make_event(cudaEventBlockingSync);
    }
#endif
}

Stopwatch::~Stopwatch() {
#if WARPLOOM_WITH_CUDA
  for (auto& pair : ring_) {
    if (pair.begin) cudaEventDestroy(static_cast<cudaEvent_t>(pair.begin));
    if (pair.end) cudaEventDestroy(static_cast<cudaEvent_t>(pair.end));
  }
#endif
}

void Stopwatch::open([[maybe_unused]] Queue& queue, const char* kernel, std::uint64_t bytes) {
  if (!open_.empty()) ++open_.back().launches;
  Open span;
  span.silent = !enabled || open_.size() >= ring_size ||  // no pair is free for it
                (!open_.empty() && (open_.back().silent || open_.back().sample.kernel == kernel));
  if (span.silent) {
    span.sample.kernel = kernel;
    open_.push_back(std::move(span));
    return;
  }
  span.sample = {kernel, track, settings, 0, bytes};
  span.sample.step = step;
#if WARPLOOM_WITH_CUDA
  if (backend_ == Backend::cuda) {
    // Pairs of spans around more launches than the ring holds are passed by.
    while (ring_[head_ % ring_size].state == Pair::State::open) ++head_;
    auto& pair = ring_[head_++ % ring_size];
    // The ring came round before this one was read.
    if (pair.state == Pair::State::pending && !read(pair, false) && on_dropped) on_dropped(pair.sample);
    if (head_ > ring_size) tail_ = std::max(tail_, head_ - ring_size);
    pair.state = Pair::State::free;
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(pair.begin), stream_of(queue)));
    pair.state = Pair::State::open;  // not before: nothing closes a span that never began
    pair.sample = span.sample;
    span.pair = &pair;
  }
#endif
  span.begin = std::chrono::steady_clock::now();
  open_.push_back(std::move(span));
}

void Stopwatch::close([[maybe_unused]] Queue& queue, std::uint64_t steps, std::uint64_t launches) {
  const auto now = std::chrono::steady_clock::now();
#if WARPLOOM_WITH_CUDA
  // First: if it throws, the span is still open, and is abandoned.
  if (const Pair* pair = open_.back().pair)
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(pair->end), stream_of(queue)));
#endif
  Open span = std::move(open_.back());
  open_.pop_back();
  if (!launches) launches = std::max<std::uint64_t>(1, span.launches);
  // A span inside another is one launch to it, or as many as it has.
  if (!open_.empty()) open_.back().launches += launches - 1;
  if (span.silent) return;
#if WARPLOOM_WITH_CUDA
  if (span.pair) {
    span.pair->state = Pair::State::pending;
    span.pair->sample.steps = steps;
    span.pair->sample.launches = launches;
    return;
  }
#endif
  span.sample.steps = steps;
  span.sample.launches = launches;
  span.sample.milliseconds =
      std::chrono::duration<double, std::milli>(now - span.begin).count() / static_cast<double>(steps);
  if (on_sample) on_sample(span.sample);
}

void Stopwatch::record(const std::string& kernel, std::uint64_t bytes, double milliseconds, std::uint64_t launches) {
  // Part of a span of its name, as a launch would be.
  for (const Open& one : open_)
    if (one.sample.kernel == kernel) return;
  if (!enabled || !on_sample) return;
  TimingSample sample{kernel, track, settings, milliseconds, bytes};
  sample.step = step;
  sample.launches = launches;
  on_sample(sample);
}

void Stopwatch::abandon() {
  if (open_.back().pair) open_.back().pair->state = Pair::State::free;
  open_.pop_back();
}

bool Stopwatch::read([[maybe_unused]] Pair& pair, [[maybe_unused]] bool wait) {
#if WARPLOOM_WITH_CUDA
  auto* end = static_cast<cudaEvent_t>(pair.end);
  if (wait) WARPLOOM_CUDA(cudaEventSynchronize(end));
  const cudaError_t status = cudaEventQuery(end);
  if (status == cudaErrorNotReady) return false;
  WARPLOOM_CUDA(status);
  float milliseconds = 0;
  WARPLOOM_CUDA(cudaEventElapsedTime(&milliseconds, static_cast<cudaEvent_t>(pair.begin), end));
  pair.sample.milliseconds = static_cast<double>(milliseconds) / static_cast<double>(pair.sample.steps);
  if (on_sample) on_sample(pair.sample);
#endif
  return true;
}

void Stopwatch::collect(bool wait) {
  for (; tail_ < head_; ++tail_) {
    auto& pair = ring_[tail_ % ring_size];
    if (pair.state == Pair::State::open) return;  // what is inside an open span is handed over after it
    if (pair.state == Pair::State::pending && !read(pair, wait)) return;
    pair.state = Pair::State::free;
  }
}

}  // namespace warploom
