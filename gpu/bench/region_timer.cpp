#include "gpu/bench/region_timer.h"

#include "gpu/core/error.h"
#include "gpu/core/launch_graphs.h"
#include "gpu/core/stopwatch.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom::bench {

RegionTimer::RegionTimer(Queue& queue, const Region& region) : queue_(queue), region_(region) {
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    begin_ = make_event(cudaEventDefault);
    end_ = make_event(cudaEventDefault);
  }
#endif
}

RegionTimer::~RegionTimer() {
#if WARPLOOM_WITH_CUDA
  if (graph_) cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph_));
  if (begin_) cudaEventDestroy(static_cast<cudaEvent_t>(begin_));
  if (end_) cudaEventDestroy(static_cast<cudaEvent_t>(end_));
#endif
}

void RegionTimer::replay(unsigned times) {
  replays_ = times;
  try {
    graph_ = captured_graph(queue_, [this] { run(); });
  } catch (const Error&) {
    // Launched back to back instead.
  }
  (void)sample();
}

void RegionTimer::run() {
#if WARPLOOM_WITH_CUDA
  if (graph_) {
    WARPLOOM_CUDA(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph_), stream_of(queue_)));
    return;
  }
#endif
  for (unsigned i = 0; i < replays_; ++i) region_(queue_);
}

double RegionTimer::sample() {
#if WARPLOOM_WITH_CUDA
  if (queue_.backend() == Backend::cuda) {
    auto *begin = static_cast<cudaEvent_t>(begin_), *end = static_cast<cudaEvent_t>(end_);
    WARPLOOM_CUDA(cudaEventRecord(begin, stream_of(queue_)));
    run();
    WARPLOOM_CUDA(cudaEventRecord(end, stream_of(queue_)));
    WARPLOOM_CUDA(cudaEventSynchronize(end));
    float milliseconds = 0;
    WARPLOOM_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) / replays_;
  }
#endif
  return milliseconds_of([this] { run(); }) / replays_;
}

}  // namespace warploom::bench
