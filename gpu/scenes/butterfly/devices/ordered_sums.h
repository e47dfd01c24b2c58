#pragma once
#include <cstdint>

#include "gpu/core/group.h"

namespace warploom {

/// What the elements of rows come to under an operator, in their order: each block of the first `count` elements of a
/// row adds up `elements` of them. Launched with a block of `threads` threads for each (row, chunk).
template <class Operator>
struct OrderedSums {
  using Value = typename Operator::Value;
  static constexpr std::uint32_t threads = 256, of_thread = 16, elements = threads * of_thread;

  Operator op;
  const Value* in;  ///< (rows, count)
  std::uint64_t count, chunks;
  Value* out;  ///< (rows, chunks)

  std::uint64_t dynamic_shared_bytes() const { return threads * sizeof(Value); }
  std::uint64_t work_of_a_thread() const { return of_thread; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto sums = group.template dynamic_tile<Value>(threads, 0);
    const std::uint64_t row = group.block_number() / chunks, chunk = group.block_number() % chunks;
    group.each([&](const Thread& thread) {
      const std::uint64_t first = chunk * elements + std::uint64_t{thread.index} * of_thread;
      Value all = op.identity();
      for (std::uint32_t i = 0; i < of_thread; ++i)
        if (first + i < count) all = op.combine(all, in[row * count + first + i]);
      sums[thread.index] = all;
    });
    for (std::uint32_t half = 1; half < threads; half *= 2) {
      group.barrier();
      group.each([&](const Thread& thread) {
        if (thread.index % (2 * half) == 0)
          sums[thread.index] = op.combine(sums[thread.index], sums[thread.index + half]);
      });
    }
    group.once([&] { out[group.block_number()] = sums[0]; });
  }
};

}  // namespace warploom
