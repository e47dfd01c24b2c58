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
  /// Neighbours at a distance of 2^d, and the stages behind it.
  template <int d, class Group, class Own>
  WARPLOOM_HD void stage(Group& group, Own& own) const {
    if constexpr (d < SystemForm::digits_of_warp) {
      if (systems.n <= d) return;
      constexpr int h = 1 << d, lanes = h < items ? 1 : h / items, in_registers = h < items ? h : 0;
      // What is `h` rows before each register, and behind: of a lane beside it where it is not the thread's own.
      typename Group::template PerThread<typename Block::Registers> left, right;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        typename Group::template PerThread<UnitEquation> from_left, from_right;
        const bool left_is_own = in_registers && i >= h, right_is_own = in_registers && i + h < items;
        const int left_item = (i - in_registers + items) % items, right_item = (i + in_registers) % items;
        if (!left_is_own)
          this->shuffle(
              group, from_left, [&](const Thread& thread) { return own[thread].v[left_item]; },
              [](const Thread& thread) { return thread.index - lanes; });
        if (!right_is_own)
          this->shuffle(
              group, from_right, [&](const Thread& thread) { return own[thread].v[right_item]; },
              [](const Thread& thread) { return thread.index + lanes; });
        group.each([&](const Thread& thread) {
          const int row = static_cast<int>(this->thread_in_row(thread)) * items + i;
          const UnitEquation none{};
          left[thread].v[i] = row < h ? none : left_is_own ? own[thread].v[left_item] : from_left[thread];
          right[thread].v[i] = row + h >= 1 << systems.n ? none
                               : right_is_own            ? own[thread].v[right_item]
                                                         : from_right[thread];
        });
      }
      group.each([&](const Thread& thread) {
        WARPLOOM_UNROLL
        for (int i = 0; i < items; ++i)
          own[thread].v[i] = reduced(left[thread].v[i], own[thread].v[i], right[thread].v[i]);
      });
      this->tell(group, own, d + 1);
      stage<d + 1>(group, own);
    }
  }
};

}  // namespace warploom
