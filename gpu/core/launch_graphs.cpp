#include "gpu/core/launch_graphs.h"

#include <exception>
#include <utility>

#include "gpu/core/scoped_member.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

void* captured_graph([[maybe_unused]] Queue& queue, [[maybe_unused]] const std::function<void()>& launches) {
#if WARPLOOM_WITH_CUDA
  if (queue.backend() == Backend::cuda) {
    const OnDevice here(queue.device());
    WARPLOOM_CUDA(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeThreadLocal));
    const bool synchronous = std::exchange(queue.synchronous, false);  // a captured stream cannot be waited for
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    std::exception_ptr failed;
    try {
      launches();
    } catch (...) {  // the stream must not stay in capture
      failed = std::current_exception();
    }
    queue.synchronous = synchronous;
    const bool whole = cudaStreamEndCapture(stream_of(queue), &graph) == cudaSuccess && graph && !failed &&
                       cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
    if (graph) cudaGraphDestroy(graph);
    if (!whole) (void)cudaGetLastError();
    if (failed) std::rethrow_exception(failed);
    return whole ? ready : nullptr;
  }
#endif
  return nullptr;
}

void LaunchGraphs::run(Queue& queue, [[maybe_unused]] std::uint64_t key, const std::function<void()>& launches) {
  const ScopedUntimed inside(queue);
#if WARPLOOM_WITH_CUDA
  // Where each launch is waited for, an error names its kernel: no graph does.
  if (queue.backend() == Backend::cuda && !queue.synchronous) {
    const OnDevice here(queue.device());
    const std::pair of_device{queue.device().number, key};
    const auto known = graphs_.find(of_device);
    if (known != graphs_.end()) {
      Graph& graph = known->second;
      if (!graph.tried) {
        graph.tried = true;
        graph.ready = captured_graph(queue, launches);
      }
      if (graph.ready) {
        WARPLOOM_CUDA(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph.ready), stream_of(queue)));
        return;
      }
    } else {
      // The first time loads the kernels, which a capture does not take.
      if (graphs_.size() >= most_graphs) forget();
      graphs_.emplace(of_device, Graph{});
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
