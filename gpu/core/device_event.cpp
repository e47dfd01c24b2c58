#include "gpu/core/device_event.h"

#include <utility>

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

DeviceEvent::DeviceEvent([[maybe_unused]] Backend backend) {
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) event_ = make_event(cudaEventDisableTiming | cudaEventBlockingSync);
#endif
}

DeviceEvent::~DeviceEvent() {
#if WARPLOOM_WITH_CUDA
  if (!event_) return;
  // Whoever owns the mark also owns what the marked launches read.
  wait();
  cudaEventDestroy(static_cast<cudaEvent_t>(event_));
#endif
}

DeviceEvent::DeviceEvent(DeviceEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

void DeviceEvent::set([[maybe_unused]] Queue& queue) noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) cudaEventRecord(static_cast<cudaEvent_t>(event_), stream_of(queue));
#endif
}

void DeviceEvent::hold([[maybe_unused]] Queue& queue) const {
#if WARPLOOM_WITH_CUDA
  if (event_) WARPLOOM_CUDA(cudaStreamWaitEvent(stream_of(queue), static_cast<cudaEvent_t>(event_)));
#endif
}

bool DeviceEvent::passed() const noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) return cudaEventQuery(static_cast<cudaEvent_t>(event_)) != cudaErrorNotReady;
#endif
  return true;
}

void DeviceEvent::wait() const noexcept {
#if WARPLOOM_WITH_CUDA
  if (event_) cudaEventSynchronize(static_cast<cudaEvent_t>(event_));
#endif
}

}  // namespace warploom
