#include "gpu/scenes/bins/tracks/snapshot.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"

namespace warploom {

namespace {

/// How many bins are how deep; those that are empty are not counted: nearly all may be.
struct CountDepths {
  const std::uint32_t* counts;
  std::uint64_t bins;
  std::uint32_t cap;
  std::uint64_t* of_depth;  ///< (most_depths), 0 before
  std::uint64_t* sums;      ///< of squares, of what is beyond the cap; 0 before
  std::uint32_t* deepest;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, bins, [&](std::uint64_t i) {
      const std::uint64_t depth = counts[i];
      if (!depth) return;
      atomic_add(of_depth + (depth < BinsSnapshot::most_depths ? depth : BinsSnapshot::most_depths - 1), 1);
      atomic_add(sums, depth * depth);
      if (depth > cap) atomic_add(sums + 1, depth - cap);
      rare_atomic_maximum(deepest, counts[i]);
    });
  }
};

void count_on_device(Queue& queue, const SnapshotOf& of, BinsSnapshot& made, double& squares) {
  Buffer<std::uint64_t> of_depth(queue.backend(), BinsSnapshot::most_depths), sums(queue.backend(), 2);
  Buffer<std::uint32_t> deepest(queue.backend(), 1);
  of_depth.zero(queue);
  sums.zero(queue);
  deepest.zero(queue);
  launch("bins.depths", queue, row_shape(of.bins),
         CountDepths{of.counts, of.bins, of.cap, of_depth.data(), sums.data(), deepest.data()});
  made.of_depth = of_depth.download(queue);
  made.deepest = deepest.download(queue)[0];
  const auto found = sums.download(queue);
  squares = static_cast<double>(found[0]);
  made.spilled = found[1];
}

void count_on_host(Queue& queue, const SnapshotOf& of, BinsSnapshot& made, double& squares) {
  made.counts.resize(of.bins);
  download_bytes(queue, made.counts.data(), of.counts, of.bins * sizeof(std::uint32_t));
  made.of_depth.assign(BinsSnapshot::most_depths, 0);
  made.offsets.resize(of.bins + 1);
  std::uint32_t slots = 0;
  for (std::uint64_t bin = 0; bin < of.bins; ++bin) {
    const std::uint64_t depth = made.counts[bin];
    made.offsets[bin] = slots;
    slots += (std::min(made.counts[bin], of.cap) + of.multiple - 1) / of.multiple * of.multiple;
    ++made.of_depth[std::min(depth, BinsSnapshot::most_depths - 1)];
    made.deepest = std::max(made.deepest, depth);
    squares += static_cast<double>(depth * depth);
    if (depth > of.cap) made.spilled += depth - of.cap;
  }
  made.offsets[of.bins] = slots;
}

}  // namespace

std::shared_ptr<const BinsSnapshot> snapshot_of(Queue& queue, const SnapshotOf& of) {
  auto made = std::make_shared<BinsSnapshot>();
  made->serial = of.serial;
  made->elements = of.elements;
  made->bins = of.bins;
  made->capacity = of.capacity;
  made->cap = of.cap;
  made->slots = of.slots;
  double squares = 0;
  if (of.bins <= BinsSnapshot::most_bins)
    count_on_host(queue, of, *made, squares);
  else
    count_on_device(queue, of, *made, squares);
  std::uint64_t full = 0;
  for (std::uint64_t depth = 1; depth < made->of_depth.size(); ++depth) full += made->of_depth[depth];
  made->of_depth[0] = made->empty = of.bins - full;
  const auto all = static_cast<double>(of.bins);
  made->mean = static_cast<double>(of.elements) / all;
  made->deviation = std::sqrt(std::max(0., squares / all - made->mean * made->mean));
  return made;
}

}  // namespace warploom
