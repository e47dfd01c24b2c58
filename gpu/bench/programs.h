#pragma once
#include "gpu/bench/ceilings.h"
#include "gpu/bench/quads.h"
#include "gpu/core/launch.h"
#include "gpu/maps/work.h"

// What the programs of the ceilings share. Included by kernels alone.

namespace warploom::bench {

/// A bijection of 32 bits that costs two products: cheap enough not to be what is measured.
WARPLOOM_HD std::uint32_t mix(std::uint32_t z) {
  z = (z ^ z >> 16) * 0x7feb352du;
  z = (z ^ z >> 15) * 0x846ca68bu;
  return z ^ z >> 16;
}

/// Number of the thread in its launch.
template <class Group>
WARPLOOM_HD std::uint64_t thread_number(Group& group, const Thread& thread) {
  return group.block_number() * group.size() + thread.index;
}

/// Sums `value(i)` over i < count: checks and totals. Launched with row_shape(count).
template <class ValueAt>
struct SumOver {
  ValueAt value;
  std::uint64_t count;
  SumSlots sum;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part;
    group.each([&](const Thread& thread) {
      const std::uint64_t i = thread_number(group, thread);
      part[thread] = i < count ? value(i) : 0;
    });
    const std::uint64_t total = group.sum(part);
    group.once([&] {
      if (total) sum.add(group.block_number(), total);
    });
  }
};

/// The sum of `value(i)` over i < count, on the backend. Waits.
template <class ValueAt>
std::uint64_t sum_over(Queue& queue, std::uint64_t count, const ValueAt& value) {
  Buffer<std::uint64_t> words(queue.backend(), SumSlots::slots * SumSlots::words_apart);
  words.zero(queue);
  launch("bench.check", queue, row_shape(count), SumOver<ValueAt>{value, count, {words.data()}});
  std::uint64_t total = 0;
  for (const std::uint64_t word : words.download(queue)) total += word;
  return total;
}

}  // namespace warploom::bench
