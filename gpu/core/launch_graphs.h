#pragma once
#include <cstdint>
#include <functional>
#include <map>

#include "gpu/core/queue.h"

namespace warploom {

/// Runs of launches that come again and again, each under a key: on CUDA they are captured as a graph when a key comes
/// for the second time, and launched as one from then on. Belongs to the thread of its queue. What the launches are
/// given must stay as it was; `forget` where it changes.
class LaunchGraphs {
 public:
  LaunchGraphs() = default;
  ~LaunchGraphs() { forget(); }
  LaunchGraphs(const LaunchGraphs&) = delete;
  LaunchGraphs& operator=(const LaunchGraphs&) = delete;

  /// What `launches` launches, in order with the queue's other work. It waits for nothing, and is not timed: who wants
  /// its time opens a span around it. Throws what it throws.
  void run(Queue& queue, std::uint64_t key, const std::function<void()>& launches);
  void forget();

 private:
  static constexpr std::size_t most_graphs = 24;
  /// An instantiated graph; null: it came once, and was launched as it is.
  std::map<std::uint64_t, void*> graphs_;
};

}  // namespace warploom
