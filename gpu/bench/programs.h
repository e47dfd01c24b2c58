#pragma once
#include "gpu/bench/ceilings.h"
#include "gpu/bench/quads.h"
#include "gpu/core/launch.h"
#include "gpu/tracks/sum_over.h"

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

/// The sum of `value(i)` over i < count, on the backend: for checks. Waits.
template <class ValueAt>
std::uint64_t sum_over(Queue& queue, std::uint64_t count, const ValueAt& value) {
  Buffer<std::uint64_t> words;
  return warploom::sum_over("bench.check", queue, count, value, words);
}

}  // namespace warploom::bench
