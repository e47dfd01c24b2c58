#include "gpu/core/queue.h"

#include <cstdlib>
#include <string>

#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

Queue::Queue(Device device, [[maybe_unused]] bool urgent, unsigned threads)
    : device_(device), pool_(std::make_unique<Pool>(backend() == Backend::cpu ? threads : 1)) {
  if (device.number < 0 || device.number >= most_devices)
    throw UsageError("device " + std::to_string(device.number) + ": there are " + std::to_string(most_devices));
  check_devices(backend(), device.number + 1);
  const char* wish = std::getenv("WARPLOOM_SYNC");
  synchronous = wish && *wish == '1';
#if WARPLOOM_WITH_CUDA
  if (backend() == Backend::cuda) {
    const OnDevice here(device_);
    int least = 0, greatest = 0;
    WARPLOOM_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t stream = nullptr;
    WARPLOOM_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, urgent ? greatest : least));
    stream_ = stream;
    finished_ = make_event(cudaEventDisableTiming | cudaEventBlockingSync);
  }
#else
  if (backend() == Backend::cuda) (void)choose_backend("cuda");  // throws: there is none in this build
#endif
}

Queue::~Queue() {
#if WARPLOOM_WITH_CUDA
  if (stream_) {
    cudaStreamSynchronize(stream_of(*this));
    cudaEventDestroy(static_cast<cudaEvent_t>(finished_));
    cudaStreamDestroy(stream_of(*this));
  }
#endif
}

Pool& Queue::host_pool() {
  if (!host_pool_) host_pool_ = std::make_unique<Pool>();
  return *host_pool_;
}

void Queue::wait() {
#if WARPLOOM_WITH_CUDA
  if (stream_) {
    WARPLOOM_CUDA(cudaEventRecord(static_cast<cudaEvent_t>(finished_), stream_of(*this)));
    WARPLOOM_CUDA(cudaEventSynchronize(static_cast<cudaEvent_t>(finished_)));
  }
#endif
}

}  // namespace warploom
