#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/group.h"
#include "gpu/core/launch.h"

// Rows that several threads share, without float atomics: each thread takes some elements, one after another, writes
// the rows that begin and end among them, and leaves the sum of the one that is still open. A warp hands these on from
// lane to lane; what is open at its end is carried to spmv.fix_up, which does the same with the warps' carries, and so
// on. Sums are in the same order each time [merrill2016merge].
namespace warploom {

/// What warps leave: the row that is open at the end of each, and its sum so far.
struct SpmvCarries {
  std::uint32_t* rows = nullptr;
  float* sums = nullptr;
  std::uint64_t count = 0;  ///< of warps
};

/// Where sums go.
struct SpmvSums {
  float* y;
  bool adds;  ///< to what is there
  SpmvCarries carries;
  WARPLOOM_HD void put(std::uint32_t row, float sum) const { y[row] = adds ? y[row] + sum : sum; }
};

/// The rows that the threads of a block are at.
template <class Group>
struct OpenRows {
  typename Group::template PerThread<std::uint32_t> first, open;  ///< the row it begins with, and that it ends with
  typename Group::template PerThread<float> ended, sum;           ///< sum of the first row, where it ended; of the open
  typename Group::template PerThread<bool> ends;                  ///< a row ended

  /// Called by each thread before it takes its elements.
  WARPLOOM_HD void begin(const Thread& thread, std::uint32_t row) {
    first[thread] = open[thread] = row;
    ended[thread] = sum[thread] = 0;
    ends[thread] = false;
  }
  /// The open row ends; the next one is `row`.
  WARPLOOM_HD void end(const Thread& thread, std::uint32_t row, const SpmvSums& to) {
    if (ends[thread]) {
      to.put(open[thread], sum[thread]);
    } else {
      ended[thread] = sum[thread];
      ends[thread] = true;
    }
    sum[thread] = 0;
    open[thread] = row;
  }
  /// Collective: hands on from lane to lane. `warps_before`: of earlier blocks.
  WARPLOOM_HD void hand_on(Group& group, const SpmvSums& to, std::uint64_t warps_before) {
    typename Group::template PerThread<bool> heads;
    typename Group::template PerThread<unsigned> lanes;
    typename Group::template PerThread<float> before;
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      heads[thread] = ends[thread] || lane == 0;
      lanes[thread] = lane ? lane - 1 : 0;
    });
    group.warp_segmented_sum(sum, heads);
    group.shuffle(sum, lanes, before);
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      if (ends[thread]) to.put(first[thread], lane ? before[thread] + ended[thread] : ended[thread]);
      const std::uint64_t warp = warps_before + thread.index / warp_size;
      if (lane + 1 != warp_size || warp >= to.carries.count) return;
      to.carries.rows[warp] = open[thread];
      to.carries.sums[warp] = sum[thread];
    });
  }
};

/// A list of elements by ascending row: each thread takes `per_thread` of them. `Elements` has row(i) and value(i).
template <class Elements, unsigned per_thread>
struct SumByRow {
  Elements elements;
  std::uint64_t count;
  std::uint32_t rows;  ///< in place of a row: there is none
  SpmvSums to;
  static constexpr std::uint64_t threads_per_chunk = 8192 / per_thread;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    OpenRows<Group> open;
    const std::uint64_t block = group.block_number() * group.size();
    group.each([&](const Thread& thread) {
      const std::uint64_t first = (block + thread.index) * per_thread;
      std::uint32_t row = first < count ? elements.row(first) : rows;
      open.begin(thread, row);
      for (std::uint64_t i = first; i < first + per_thread && i < count; ++i) {
        open.sum[thread] += elements.value(i);
        const std::uint32_t next = i + 1 < count ? elements.row(i + 1) : rows;
        if (next == row) continue;
        open.end(thread, next, to);
        row = next;
      }
    });
    open.hand_on(group, to, block / warp_size);
  }
};

/// Elements of a list of coordinates.
struct CooElements {
  const std::uint32_t* rows;
  const std::int32_t* columns;
  const float* values;
  const float* x;
  WARPLOOM_HD std::uint32_t row(std::uint64_t i) const { return rows[i]; }
  WARPLOOM_HD float value(std::uint64_t i) const { return values[i] * x[columns[i]]; }
};

/// Those that warps left.
struct CarriedElements {
  const std::uint32_t* rows;
  const float* sums;
  WARPLOOM_HD std::uint32_t row(std::uint64_t i) const { return rows[i]; }
  WARPLOOM_HD float value(std::uint64_t i) const { return sums[i]; }
};

/// Adds what warps left to y, level by level until one warp has all of it.
class FixUp {
 public:
  /// For a launch of so many threads.
  FixUp(Queue& queue, std::uint64_t threads, std::uint32_t rows) : rows_(rows) {
    for (std::uint64_t warps = (threads + 31) / 32; warps > 1; warps = (warps + per_warp - 1) / per_warp)
      levels_.push_back({Buffer<std::uint32_t>(queue.backend(), warps), Buffer<float>(queue.backend(), warps)});
  }
  /// Where the launch before it leaves its open rows.
  SpmvCarries carries() const { return carries_of(0); }
  void run(Queue& queue, float* y) const {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const SpmvCarries from = carries_of(level);
      const std::uint64_t threads = (from.count + per_thread - 1) / per_thread;
      launch("spmv.fix_up", queue, row_shape(threads),
             SumByRow<CarriedElements, per_thread>{
                 {from.rows, from.sums}, from.count, rows_, {y, true, carries_of(level + 1)}},
             from.count * 8);
    }
  }
  std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const Level& level : levels_) all += level.rows.bytes() + level.sums.bytes();
    return all;
  }

 private:
  static constexpr unsigned per_thread = 32;
  static constexpr std::uint64_t per_warp = std::uint64_t{per_thread} * warp_size;
  struct Level {
    Buffer<std::uint32_t> rows;
    Buffer<float> sums;
  };
  SpmvCarries carries_of(std::size_t level) const {
    if (level >= levels_.size()) return {};
    return {levels_[level].rows.data(), levels_[level].sums.data(), levels_[level].rows.size()};
  }
  std::uint32_t rows_;
  std::vector<Level> levels_;
};

}  // namespace warploom
