#include "gpu/core/launch_graphs.h"

#include "gpu/core/scoped_untimed.h"

#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

#if WARPLOOM_WITH_CUDA
namespace {

/// The launches as a graph; null where they cannot be captured. Throws what they throw.
cudaGraphExec_t captured(cudaStream_t stream, const std::function<void()>& launches) {
  WARPLOOM_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t graph = nullptr;
  try {
    launches();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    if (graph) cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    throw;
  }
  cudaGraphExec_t ready = nullptr;
  const bool whole = cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph &&
                     cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
  if (graph) cudaGraphDestroy(graph);
  if (!whole) (void)cudaGetLastError();
  return whole ? ready : nullptr;
}

}  // namespace
#endif

void LaunchGraphs::run(Queue& queue, [[maybe_unused]] std::uint64_t key, const std::function<void()>& launches) {
  const ScopedUntimed inside(queue);
#if WARPLOOM_WITH_CUDA
  // A captured stream cannot be waited for after each launch.
  if (queue.backend() == Backend::cuda && !queue.synchronous) {
    auto* stream = static_cast<cudaStream_t>(queue.stream());
    const auto known = graphs_.find(key);
    if (known != graphs_.end()) {
      Graph& graph = known->second;
      if (!graph.tried) {
        graph.tried = true;
        graph.ready = captured(stream, launches);
      }
      if (graph.ready) {
        WARPLOOM_CUDA(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph.ready), stream));
        return;
      }
    } else {
      // The first time loads the kernels, which a capture does not take.
      if (graphs_.size() >= most_graphs) forget();
      graphs_.emplace(key, Graph{});
    }
  }
#endif
  launches();
}

void LaunchGraphs::forget() {
#if WARPLOOM_WITH_CUDA
  for (const auto& [key, graph] : graphs_)
    if (graph.ready) cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph.ready));
#endif
  graphs_.clear();
}

}  // namespace warploom
