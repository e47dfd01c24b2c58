#include "gpu/core/stopwatch.h"

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

Stopwatch::Stopwatch(Backend backend) : backend_(backend) {
#if WARPLOOM_WITH_CUDA
  if (backend_ == Backend::cuda)
    for (auto& pair : ring_) {
      cudaEvent_t begin = nullptr, end = nullptr;
      WARPLOOM_CUDA(cudaEventCreateWithFlags(&begin, cudaEventBlockingSync));
      WARPLOOM_CUDA(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
      pair.begin = begin;
      pair.end = end;
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

void Stopwatch::start([[maybe_unused]] Queue& queue, const char* kernel, std::uint64_t bytes) {
  if (in_span_) return;
  current_ = {kernel, track, settings, 0, bytes};
#if WARPLOOM_WITH_CUDA
  if (backend_ == Backend::cuda && enabled) {
    auto& pair = ring_[head_ % ring_size];
    if (pair.pending) {  // the ring came round before this one was read
      if (!read(pair, false) && on_dropped) on_dropped(pair.sample);
      pair.pending = false;
      ++tail_;
    }
    pair.sample = current_;
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(pair.begin), static_cast<cudaStream_t>(queue.stream())));
    return;
  }
#endif
  begin_ = std::chrono::steady_clock::now();
}

void Stopwatch::stop([[maybe_unused]] Queue& queue) {
  if (!enabled || in_span_) return;
#if WARPLOOM_WITH_CUDA
  if (backend_ == Backend::cuda) {
    auto& pair = ring_[head_++ % ring_size];
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(pair.end), static_cast<cudaStream_t>(queue.stream())));
    pair.pending = true;
    return;
  }
#endif
  current_.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  if (on_sample) on_sample(current_);
}

void Stopwatch::begin_span(Queue& queue, const char* kernel, std::uint64_t bytes) {
  start(queue, kernel, bytes);
  in_span_ = true;
}

void Stopwatch::end_span(Queue& queue) {
  in_span_ = false;
  stop(queue);
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
  pair.sample.milliseconds = static_cast<double>(milliseconds);
  if (on_sample) on_sample(pair.sample);
#endif
  return true;
}

void Stopwatch::collect(bool wait) {
  for (; tail_ < head_; ++tail_) {
    auto& pair = ring_[tail_ % ring_size];
    if (pair.pending && !read(pair, wait)) return;
    pair.pending = false;
  }
}

}  // namespace warploom
