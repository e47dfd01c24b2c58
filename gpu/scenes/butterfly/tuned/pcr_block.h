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
    this->load(group, own, shared);
    stage<0>(group, own);
    this->leave(group, own, shared, systems.n);
  }

 private:
  /// A register of the lane so many lanes behind, or, below 0, before.
  template <class Group, class Own, class One>
  WARPLOOM_HD static void from_lane(Group& group, Own& own, One& to, int item, int lanes) {
    shuffle_lanes(
        group, to, [&](const Thread& thread) { return own[thread].v[item]; },
        [&](const Thread& thread) { return thread.index + static_cast<unsigned>(lanes); });
  }
  /// Of a row's neighbour at a distance, which is not there at the ends of a system.
  WARPLOOM_HD UnitEquation there(const Thread& thread, int item, int distance, const UnitEquation& neighbour) const {
    const int row = static_cast<int>(this->thread_in_row(thread)) * items + item + distance;
    return row < 0 || row >> systems.n ? UnitEquation{} : neighbour;
  }

  /// Neighbours at a distance of 2^d, and the stages behind it.
  template <int d, class Group, class Own>
  WARPLOOM_HD void stage(Group& group, Own& own) const {
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
          from_lane(group, own, left, items - h + i, -1);
          from_lane(group, own, right, i, 1);
          group.each([&](const Thread& thread) {
            before[thread].v[i] = there(thread, i, -h, left[thread]);
            behind[thread].v[i] = there(thread, items - h + i, h, right[thread]);
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
            v[i] = reduced(left, v[i], right);
          }
        });
      } else {
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i) {
          One left, right;
          from_lane(group, own, left, i, -h / items);
          from_lane(group, own, right, i, h / items);
          group.each([&](const Thread& thread) {
            own[thread].v[i] =
                reduced(there(thread, i, -h, left[thread]), own[thread].v[i], there(thread, i, h, right[thread]));
          });
        }
      }
      this->tell(group, own, d + 1);
      stage<d + 1>(group, own);
    }
  }
};

}  // namespace warploom
