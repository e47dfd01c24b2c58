#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "gpu/core/queue.h"

namespace warploom {

/// The launches as a CUDA graph to be launched again (a cudaGraphExec_t), which the caller destroys; null where they
/// cannot be captured, as on the CPU. Throws what they throw.
void* captured_graph(Queue& queue, const std::function<void()>& launches);

/// Runs of launches that come again and again, each under a key: on CUDA they are captured as a graph when a key comes
/// for the second time on a device, and launched as one from then on. Belongs to the thread of its queues. What the
/// launches are given must stay as it was; `forget` where it changes.
class LaunchGraphs {
 public:
  ~LaunchGraphs() { forget(); }
  LaunchGraphs& operator=(LaunchGraphs&&) = delete;  // neither copied nor moved

  /// What `launches` launches, in order with the queue's other work. It waits for nothing, and is not timed: who wants
  /// its time opens a span around it. Throws what it throws.
  void run(Queue& queue, std::uint64_t key, const std::function<void()>& launches);
  void forget();

 private:
  static constexpr std::size_t most_graphs = 24;
  struct Graph {
    bool tried = false;     ///< captured at its second run, or found that it cannot be; never tried again
    void* ready = nullptr;  ///< the instantiated graph; null: its launches are made one by one
  };
  std::map<std::pair<int, std::uint64_t>, Graph> graphs_;  ///< by the device's number, and the key
};

}  // namespace warploom
