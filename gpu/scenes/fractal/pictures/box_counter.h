#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"
#include "gpu/scenes/fractal/works/box_counts.h"

namespace warploom {

/// Counts boxes of a sliced state for pictures that show many cells per pixel, once for each state that is shown. Of
/// any thread.
class BoxCounter {
 public:
  BoxCounter(const FractalDomain& domain, const SlicedShape& shape);

  /// Whether a picture of so many cells per pixel has boxes to count.
  bool helps(double cells_x, double cells_y) const;

  /// Holds the counts of one state still: launches that read them go into `queue` while the object lives.
  class Reader {
   public:
    /// `serial` names the state, whose words are held still for as long. Throws Error where there is no memory.
    Reader(BoxCounter& counter, Queue& queue, const std::uint32_t* words, std::uint64_t serial);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    const BoxCounts& counts() const { return counter_.view_; }

   private:
    std::lock_guard<std::mutex> lock_;
    BoxCounter& counter_;
    Queue& queue_;
  };

  /// The levels that are counted; none where the first is above the second.
  int lowest() const { return view_.lowest; }
  int highest() const { return view_.highest; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  void count(Queue& queue, const std::uint32_t* words);

  FractalDomain domain_;
  SlicedShape shape_;
  std::uint32_t in_range_ = 1;  ///< words of a range of the lowest level
  std::mutex mutex_;
  BoxCounts view_;
  std::uint64_t words_ = 0;  ///< of all counts
  Buffer<std::uint32_t> counts_;
  std::uint64_t serial_ = 0;         ///< of the state that is counted; 0: none
  std::optional<DeviceEvent> used_;  ///< where its last user stands: another queue waits for it
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace warploom
