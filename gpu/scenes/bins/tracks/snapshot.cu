#include "gpu/scenes/bins/tracks/snapshot.h"

#include <algorithm>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"

namespace warploom {

namespace {

/// How many bins are how deep; those that are empty are not counted: nearly all may be.
struct CountDepths {
  const std::uint32_t* counts;
  std::uint32_t cap;
  std::uint64_t* of_depth;  ///< (most_depths), 0 before
  std::uint64_t* sums;      ///< of squares, of what is beyond the cap; 0 before
  std::uint32_t* deepest;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const std::uint64_t depth = counts[i];
    if (!depth) return;
    atomic_add(of_depth + (depth < BinsSnapshot::most_depths ? depth : BinsSnapshot::most_depths - 1), 1);
    atomic_add(sums, depth * depth);
    if (depth > cap) atomic_add(sums + 1, depth - cap);
    rare_atomic_maximum(deepest, counts[i]);
  }
};

double count_on_device(Queue& queue, const std::uint32_t* counts, BinsSnapshot& of) {
  Buffer<std::uint64_t> of_depth(queue.backend(), BinsSnapshot::most_depths), sums(queue.backend(), 2);
  Buffer<std::uint32_t> deepest(queue.backend(), 1);
  of_depth.zero(queue);
  sums.zero(queue);
  deepest.zero(queue);
  launch_items("bins.depths", queue, of.bins,
               CountDepths{counts, of.cap, of_depth.data(), sums.data(), deepest.data()});
  of.of_depth = of_depth.download(queue);
  of.deepest = deepest.download(queue)[0];
  const auto found = sums.download(queue);
  of.spilled = found[1];
  return static_cast<double>(found[0]);
}

double count_on_host(Queue& queue, const std::uint32_t* counts, unsigned multiple, BinsSnapshot& of) {
  of.counts.resize(of.bins);
  download_bytes(queue, of.counts.data(), counts, of.bins * sizeof(std::uint32_t));
  of.of_depth.assign(BinsSnapshot::most_depths, 0);
  of.offsets.resize(of.bins + 1);
  std::uint32_t slots = 0;
  double squares = 0;
  for (std::uint64_t bin = 0; bin < of.bins; ++bin) {
    const std::uint64_t depth = of.counts[bin];
    of.offsets[bin] = slots;
    slots += (std::min(of.counts[bin], of.cap) + multiple - 1) / multiple * multiple;
    ++of.of_depth[std::min(depth, BinsSnapshot::most_depths - 1)];
    of.deepest = std::max(of.deepest, depth);
    squares += static_cast<double>(depth * depth);
    if (depth > of.cap) of.spilled += depth - of.cap;
  }
  of.offsets[of.bins] = slots;
  return squares;
}

}  // namespace

void count_depths(Queue& queue, const std::uint32_t* counts, unsigned multiple, BinsSnapshot& of) {
  of.spread(of.bins <= BinsSnapshot::most_bins ? count_on_host(queue, counts, multiple, of)
                                               : count_on_device(queue, counts, of));
  std::uint64_t full = 0;
  for (std::uint64_t depth = 1; depth < of.of_depth.size(); ++depth) full += of.of_depth[depth];
  of.of_depth[0] = of.empty = of.bins - full;
}

}  // namespace warploom
