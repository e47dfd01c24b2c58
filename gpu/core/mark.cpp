#include "gpu/core/mark.h"

#include <utility>

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

Mark::Mark([[maybe_unused]] Backend backend) {
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    cudaEvent_t event = nullptr;
    WARPLOOM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    event_ = event;
  }
#endif
}

Mark::~Mark() {
#if WARPLOOM_WITH_CUDA
  if (!event_) return;
  // Whoever owns the mark also owns what the marked launches read.
  wait();
  cudaEventDestroy(static_cast<cudaEvent_t>(event_));
#endif
}

Mark::Mark(Mark&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

void Mark::set([[maybe_unused]] Queue& queue) noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) cudaEventRecord(static_cast<cudaEvent_t>(event_), static_cast<cudaStream_t>(queue.stream()));
#endif
}

void Mark::hold([[maybe_unused]] Queue& queue) const {
#if WARPLOOM_WITH_CUDA
  if (event_)
    WARPLOOM_CUDA(cudaStreamWaitEvent(static_cast<cudaStream_t>(queue.stream()), static_cast<cudaEvent_t>(event_)));
#endif
}

bool Mark::passed() const noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) return cudaEventQuery(static_cast<cudaEvent_t>(event_)) != cudaErrorNotReady;
#endif
  return true;
}

void Mark::wait() const noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) cudaEventSynchronize(static_cast<cudaEvent_t>(event_));
#endif
}

}  // namespace warploom
