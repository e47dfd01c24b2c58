#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"

namespace warploom {

/// Sums the first numbers of a table of useful threads. Launched with row_shape(count).
struct SumUseful {
  static constexpr std::uint64_t slots = 64;
  static constexpr std::uint16_t mismapped =
      0xffff;                   ///< a block that was sent elsewhere: none of its threads is useful
  const std::uint16_t* useful;  ///< [count]
  std::uint64_t count;
  std::uint64_t* sums;  ///< [slots], zeroed before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> own;
    const std::uint64_t first = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t i = first + thread.index;
      own[thread] = i < count && useful[i] != mismapped ? useful[i] : 0;
    });
    const std::uint64_t sum = group.sum(own);
    group.once([&] {
      if (sum) atomic_add(sums + group.block_number() % slots, sum);
    });
  }
};

/// The sum of the first `count` of `table`, in `queue`; waits for it. `sums` is kept by who asks: allocating on a
/// device waits for all its work.
inline std::uint64_t sum_useful(Queue& queue, const std::uint16_t* table, std::uint64_t count,
                                Buffer<std::uint64_t>& sums) {
  if (count == 0) return 0;
  if (sums.size() == 0) sums = Buffer<std::uint64_t>(queue.backend(), SumUseful::slots);
  sums.zero(queue);
  launch("tracks.so_far", queue, row_shape(count), SumUseful{table, count, sums.data()});
  std::uint64_t sum = 0;
  for (const std::uint64_t slot : sums.download(queue)) sum += slot;
  return sum;
}

}  // namespace warploom
