#include "gpu/tracks/state_pair.h"

#include <mutex>

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

StatePair::StatePair(Queue& queue, std::uint64_t bytes, bool single)
    : buffers_{Buffer<std::uint8_t>(queue.backend(), bytes), Buffer<std::uint8_t>(queue.backend(), single ? 0 : bytes)},
      single_(single) {
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda)
    for (auto& done : read_done_) {
      cudaEvent_t event = nullptr;
      WARPLOOM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
      done = event;
    }
#endif
  if (queue.backend() == Backend::cuda) zero(queue);  // host memory comes zeroed
}

StatePair::~StatePair() {
#if WARPLOOM_WITH_CUDA
  for (auto* done : read_done_)
    if (done) {
      cudaEventSynchronize(static_cast<cudaEvent_t>(done));
      cudaEventDestroy(static_cast<cudaEvent_t>(done));
    }
#endif
}

void StatePair::zero(Queue& queue) {
  for (auto& buffer : buffers_) buffer.zero(queue);
}

StatePair::Reader::Reader(StatePair& pair, Queue& queue) : pair_(pair), queue_(queue) {
  // The finished state may not change between asking which it is and holding it.
  const std::shared_lock front(pair.front_mutex_);
  index_ = pair.front_;
  lock_ = std::shared_lock(pair.mutexes_[static_cast<std::size_t>(index_)]);
}

StatePair::Reader::~Reader() {
#if WARPLOOM_WITH_CUDA
  if (auto* done = pair_.read_done_[static_cast<std::size_t>(index_)])
    cudaEventRecord(static_cast<cudaEvent_t>(done), static_cast<cudaStream_t>(queue_.stream()));
#else
  (void)queue_;
#endif
}

StatePair::Writer::Writer(StatePair& pair, [[maybe_unused]] Queue& queue, bool finished_state)
    : pair_(pair), index_(finished_state || pair.single_ ? pair.front_.load() : 1 - pair.front_.load()) {
  lock_ = std::unique_lock(pair.mutexes_[static_cast<std::size_t>(index_)]);
#if WARPLOOM_WITH_CUDA
  if (auto* done = pair.read_done_[static_cast<std::size_t>(index_)])
    WARPLOOM_CUDA(cudaStreamWaitEvent(static_cast<cudaStream_t>(queue.stream()), static_cast<cudaEvent_t>(done)));
#endif
}

void StatePair::flip() {
  if (single_) return;
  const std::unique_lock lock(front_mutex_);
  front_ = 1 - front_;
}

}  // namespace warploom
