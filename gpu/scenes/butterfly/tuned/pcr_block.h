#pragma once
#include "gpu/scenes/butterfly/tuned/system_block.h"

namespace warploom {

/// A block solves its systems by parallel cyclic reduction: a system is a warp's at most. Source: hockney1981parallel.
template <class Trace = NoTrace>
struct TunedPcr : SystemBlock<0, TunedForm<ParallelCyclicReduction>::l, Trace> {
  using Block = SystemBlock<0, TunedForm<ParallelCyclicReduction>::l, Trace>;
  using Block::items, Block::p, Block::systems;
  static constexpr unsigned least_blocks = 6;

  std::uint64_t dynamic_shared_bytes() const { return Block::words_of_rows() * sizeof(float); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Block::template Own<Group> own;
    auto shared = group.template dynamic_tile<float>(Block::words_of_rows());
    const std::uint64_t block = group.block_number();
    this->load(group, block, own, shared, [] {});
    stage<0>(group, block, own);
    this->leave(group, block, own, shared, systems.n);
  }

 private:
  /// A register of the thread so many threads behind, or, below 0, before. Where that is another system's: the thread's
  /// own, which an equation multiplies by 0, as an unknown that is not there has a zero.
  template <class Group, class Own, class One>
  WARPLOOM_HD void from_thread(Group& group, Own& own, One& to, int item, int threads) const {
    shuffle_lanes(
        group, to, [&](const Thread& thread) { return own[thread].v[item]; },
        [&](const Thread& thread) {
          const int in_row = static_cast<int>(this->thread_in_row(thread)) + threads;
          const bool there = in_row >= 0 && in_row >> (systems.n - p) == 0;
          return thread.index + (there ? static_cast<unsigned>(threads) : 0u);
        });
  }

  /// The last stage: every row has one neighbour left, `threads` threads away.
  template <unsigned threads, class Group, class Own>
  WARPLOOM_HD void last(Group& group, Own& own) const {
    typename Group::template PerThread<unsigned> lanes;
    group.each([&](const Thread& thread) { lanes[thread] = (thread.index ^ threads) % warp_size; });
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) {
      typename Group::template PerThread<float> across, d, other_across, other_d;
      group.each([&](const Thread& thread) {
        const UnitEquation end = seam_end(own[thread].v[i], thread.index & threads);
        across[thread] = end.a;
        d[thread] = end.d;
      });
      group.shuffle(across, lanes, other_across);
      group.shuffle(d, lanes, other_d);
      group.each([&](const Thread& thread) {
        own[thread].v[i] =
            solved({across[thread], 0, d[thread]}, {other_across[thread], 0, other_d[thread]}, own[thread].none);
      });
    }
  }

  /// Neighbours at a distance of 2^d, and the stages behind it.
  template <int d, class Group, class Own>
  WARPLOOM_HD void stage(Group& group, std::uint64_t block, Own& own) const {
    if constexpr (d < SystemForm::digits_of_warp) {
      if (systems.n <= d) return;
      constexpr int h = 1 << d;
      using One = typename Group::template PerThread<UnitEquation>;
      if constexpr (h < items) {
        // What is beyond a thread's own rows, before any of these is another.
        struct Edge {
          UnitEquation v[h];
        };
        typename Group::template PerThread<Edge> before, behind;
        WARPLOOM_UNROLL
        for (int i = 0; i < h; ++i) {
          One left, right;
          from_thread(group, own, left, items - h + i, -1);
          from_thread(group, own, right, i, 1);
          group.each([&](const Thread& thread) {
            before[thread].v[i] = left[thread];
            behind[thread].v[i] = right[thread];
          });
        }
        group.each([&](const Thread& thread) {
          UnitEquation* const v = own[thread].v;
          UnitEquation old[h];
          WARPLOOM_UNROLL
          for (int i = 0; i < items; ++i) {
            const UnitEquation left = i < h ? before[thread].v[i % h] : old[i % h],
                               right = i + h < items ? v[(i + h) % items] : behind[thread].v[i % h];
            old[i % h] = v[i];
            v[i] = reduced(left, v[i], right, own[thread].none);
          }
        });
      } else if (systems.n == d + 1) {
        last<h / items>(group, own);
      } else {
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i) {
          One left, right;
          from_thread(group, own, left, i, -h / items);
          from_thread(group, own, right, i, h / items);
          group.each([&](const Thread& thread) {
            own[thread].v[i] = reduced(left[thread], own[thread].v[i], right[thread], own[thread].none);
          });
        }
      }
      this->tell(group, block, own, d + 1);
      stage<d + 1>(group, block, own);
    }
  }
};

}  // namespace warploom
