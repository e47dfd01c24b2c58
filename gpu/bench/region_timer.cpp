#include "gpu/bench/region_timer.h"

#include <chrono>
#include <exception>

#include "gpu/core/error.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom::bench {

RegionTimer::RegionTimer(Queue& queue, const Region& region) : queue_(queue), region_(region) {
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    cudaEvent_t begin = nullptr, end = nullptr;
    WARPLOOM_CUDA(cudaEventCreate(&begin));
    begin_ = begin;
    WARPLOOM_CUDA(cudaEventCreate(&end));
    end_ = end;
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
  (void)capture();
  (void)sample();
}

bool RegionTimer::capture() {
#if WARPLOOM_WITH_CUDA
  if (queue_.backend() != Backend::cuda) return false;
  auto* stream = static_cast<cudaStream_t>(queue_.stream());
  WARPLOOM_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  const bool synchronous = queue_.synchronous;  // a captured stream cannot be waited for
  queue_.synchronous = false;
  bool whole = true;
  std::exception_ptr failed;
  try {
    for (unsigned i = 0; i < replays_; ++i) region_(queue_);
  } catch (const Error&) {
    whole = false;
  } catch (...) {  // the stream must not stay in capture
    whole = false;
    failed = std::current_exception();
  }
  queue_.synchronous = synchronous;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  whole = cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph && whole;
  whole = whole && cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
  if (graph) cudaGraphDestroy(graph);
  if (!whole) (void)cudaGetLastError();
  if (failed) std::rethrow_exception(failed);
  if (whole) graph_ = ready;
  return whole;
#else
  return false;
#endif
}

void RegionTimer::run() {
#if WARPLOOM_WITH_CUDA
  if (graph_) {
    WARPLOOM_CUDA(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph_), static_cast<cudaStream_t>(queue_.stream())));
    return;
  }
#endif
  for (unsigned i = 0; i < replays_; ++i) region_(queue_);
}

double RegionTimer::sample() {
#if WARPLOOM_WITH_CUDA
  if (queue_.backend() == Backend::cuda) {
    auto* stream = static_cast<cudaStream_t>(queue_.stream());
    auto* begin = static_cast<cudaEvent_t>(begin_);
    auto* end = static_cast<cudaEvent_t>(end_);
    WARPLOOM_CUDA(cudaEventRecord(begin, stream));
    run();
    WARPLOOM_CUDA(cudaEventRecord(end, stream));
    WARPLOOM_CUDA(cudaEventSynchronize(end));
    float milliseconds = 0;
    WARPLOOM_CUDA(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) / replays_;
  }
#endif
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / replays_;
}

}  // namespace warploom::bench
