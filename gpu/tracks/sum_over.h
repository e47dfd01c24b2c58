#pragma once
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/maps/work.h"

namespace warploom {

/// Sums `value(i)` over i < count. Launched with row_shape(count).
template <class ValueAt>
struct SumOver {
  ValueAt value;
  std::uint64_t count;
  SumSlots sum;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      part[thread] = i < count ? value(i) : 0;
    });
    const std::uint64_t total = group.sum(part);
    group.once([&] {
      if (total) sum.add(group.block_number(), total);
    });
  }
};

/// The sum of `value(i)` over i < count, in `queue`; waits for it. `words` is kept by who asks again: allocating on a
/// device waits for all its work.
template <class ValueAt>
std::uint64_t sum_over(const char* kernel, Queue& queue, std::uint64_t count, const ValueAt& value,
                       Buffer<std::uint64_t>& words) {
  if (words.size() == 0) words = Buffer<std::uint64_t>(queue.backend(), SumSlots::slots * SumSlots::words_apart);
  words.zero(queue);
  launch(kernel, queue, row_shape(count), SumOver<ValueAt>{value, count, {words.data()}});
  std::uint64_t total = 0;
  for (const std::uint64_t word : words.download(queue)) total += word;
  return total;
}

/// The useful threads of a block, by a table of them.
struct UsefulOfBlock {
  static constexpr std::uint16_t mismapped = 0xffff;  ///< it was sent elsewhere: none of its threads is useful
  const std::uint16_t* useful;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return useful[i] != mismapped ? useful[i] : 0; }
};

}  // namespace warploom
