#pragma once
#include <type_traits>

#include "gpu/scenes/butterfly/tuned/system_block.h"

namespace warploom {

/// A block solves its systems by the network of Wang and Mou, its digits placed when it was compiled; stages of digits
/// that a system has not are left out. `by_ends`: above the rows of a thread its first and last go on alone. Source:
/// wang1991divide.
template <int f, int l, bool by_ends, class Trace = NoTrace>
struct TunedWangMou : SystemBlock<f, l, Trace> {
  using Block = SystemBlock<f, l, Trace>;
  using Block::items, Block::p, Block::systems, Block::trace, Block::words, Block::numbers;
  static constexpr unsigned least_blocks = l <= 7 ? 8 : l == 8 ? 4 : l == 9 ? 2 : 1;
  /// Digits that lanes and warps have.
  static constexpr int lane_digits = 5 - f, warp_digits = l - 5, digits_of_warp = p + lane_digits;
  static constexpr unsigned last_lane_of_row = (warp_size >> f) - 1;

  std::uint64_t dynamic_shared_bytes() const { return words_of_block() * sizeof(float); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto shared = group.template dynamic_tile<float>(words_of_block());
    solve(group, group.block_number(), shared, [] {});
  }
  /// The words that a block takes.
  WARPLOOM_HD std::uint32_t words_of_block() const {
    return Block::words_of_rows() + (crosses_warps() ? words_of_ends : 0);
  }
  /// What a block by its number does; arrived() when it has read its rows, before it reads neighbours' unknowns.
  template <class Group, class Words, class Arrived>
  WARPLOOM_HD void solve(Group& group, std::uint64_t block, Words& shared, Arrived&& arrived) const {
    typename Block::template Own<Group> own;
    this->load(group, block, own, shared, arrived);
    if (!systems.paired) in_registers<0>(group, block, own);
    in_registers<1>(group, block, own);
    in_registers<2>(group, block, own);
    if constexpr (by_ends) {
      typename Group::template PerThread<Ends> ends;
      group.each([&](const Thread& thread) {
        ends[thread].v[0] = own[thread].v[0];
        ends[thread].v[1] = own[thread].v[items - 1];
      });
      above(group, block, own, ends, shared);
      if (systems.ends) return tell_ends(group, block, own, ends);
      back(group, block, own, ends, shared);
      this->leave(group, block, own, shared, systems.n + 1);
    } else {
      above(group, block, own, own, shared);
      this->leave(group, block, own, shared, systems.n);
    }
  }

 private:
  struct Ends {
    UnitEquation v[2];
  };
  /// Of every warp and neighbouring system the last equation and the first, two sets in turn.
  static constexpr std::uint32_t words_of_ends = 2 * 2 * words << (warp_digits + f);
  WARPLOOM_HD bool crosses_warps() const { return systems.n > digits_of_warp; }
  WARPLOOM_HD static std::uint32_t end_word(int set, unsigned which, int w, unsigned warp, unsigned column) {
    const std::uint32_t sets = (static_cast<std::uint32_t>(set) * 2 + which) * words + static_cast<std::uint32_t>(w);
    return Block::words_of_rows() + (((sets << warp_digits) + warp) << f) + column;
  }
  WARPLOOM_HD static unsigned lane_of_row(const Thread& thread) { return thread.index % warp_size >> f; }
  WARPLOOM_HD unsigned warp_of_row(const Thread& thread) const {
    return thread.index / warp_size & ((1u << (systems.n - digits_of_warp)) - 1);
  }

  /// Pairs of digit d that a thread has in registers.
  template <int d, class Group, class Own>
  WARPLOOM_HD void in_registers(Group& group, std::uint64_t block, Own& own) const {
    constexpr int h = 1 << d;
    group.each([&](const Thread& thread) {
      UnitEquation* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 2 * h) {
        const UnitEquation before = seam_end(v[i + h - 1], false), behind = seam_end(v[i + h], true);
        const float r = seam_reciprocal(before, behind, own[thread].none);
        const SeamSide lower = seam_side(before, behind, r), upper = seam_side(behind, before, r);
        WARPLOOM_UNROLL
        for (int k = 0; k < h; ++k) {
          lose(v[i + k], lower, false);
          lose(v[i + h + k], upper, true);
        }
      }
    });
    this->tell(group, block, own, d + 1);
  }

  /// All digits above a thread's, of its rows, or of its ends.
  template <class Group, class Own, class Rows, class Words>
  WARPLOOM_HD void above(Group& group, std::uint64_t block, Own& own, Rows& rows, Words& shared) const {
    in_lanes<0>(group, block, own, rows);
    in_warps<0>(group, block, own, rows, shared);
  }
  /// Equations of a thread that stages above its rows are of.
  static constexpr int count = by_ends ? 2 : items;
  template <class Group, class Own, class Rows>
  WARPLOOM_HD void told(Group& group, [[maybe_unused]] std::uint64_t block, Own& own, Rows& rows, int stage) const {
    if constexpr (Trace::on) {
      if (!trace.tells()) return;
      if constexpr (by_ends)
        group.each([&](const Thread& thread) {
          own[thread].v[0] = rows[thread].v[0];
          own[thread].v[items - 1] = rows[thread].v[1];
        });
      this->tell(group, block, own, stage);
    }
  }
  /// What is across a seam, of all equations of a thread.
  template <class Registers, class Rows>
  WARPLOOM_HD static void lose_all(Registers& own, Rows& rows, const UnitEquation& near, const UnitEquation& across,
                                   bool upper) {
    const Loss by = loss(seam_side(near, across, seam_reciprocal(near, across, own.none)), upper);
    WARPLOOM_UNROLL
    for (int i = 0; i < count; ++i) lose(rows.v[i], by);
  }
  template <int b, class Group, class Own, class Rows>
  WARPLOOM_HD void in_lanes(Group& group, std::uint64_t block, Own& own, Rows& rows) const {
    if constexpr (b < lane_digits) {
      if (systems.n <= p + b) return;
      constexpr unsigned h = 1u << b;
      // Of the lanes at the seam: the one of a thread's own block, and that across.
      typename Group::template PerThread<UnitEquation> near, across;
      const auto is_upper = [](const Thread& thread) { return (lane_of_row(thread) & h) != 0; };
      const auto end = [&](const Thread& thread) {
        // By value: a device would keep rows in memory, to point at one of them.
        const UnitEquation first = rows[thread].v[0], last = rows[thread].v[count - 1];
        const bool upper = is_upper(thread);
        return upper ? seam_end(first, true) : seam_end(last, false);
      };
      const auto at_seam = [](const Thread& thread, bool behind) {
        return ((lane_of_row(thread) & ~(2 * h - 1)) + (behind ? h : h - 1)) << f | Block::column(thread);
      };
      shuffle_lanes(group, near, end, [&](const Thread& thread) { return at_seam(thread, is_upper(thread)); });
      shuffle_lanes(group, across, end, [&](const Thread& thread) { return at_seam(thread, !is_upper(thread)); });
      group.each([&](const Thread& thread) {
        lose_all(own[thread], rows[thread], near[thread], across[thread], is_upper(thread));
      });
      told(group, block, own, rows, p + b + 1);
      in_lanes<b + 1>(group, block, own, rows);
    }
  }

  // Ends of warps, through shared memory.
  template <class Group, class Words>
  WARPLOOM_HD void put_end(Group& group, const Thread& thread, Words& shared, int stage, int set, unsigned which, int w,
                           float value) const {
    const unsigned warp = thread.index / warp_size;
    const std::uint32_t at = end_word(set, which, w, warp, Block::column(thread));
    shared[at] = value;
    trace.access(group.block_number(), numbers().write(stage, which * words + static_cast<std::uint32_t>(w)),
                 thread.index, at * sizeof(float), slot_of_end(thread, which, warp));
  }
  template <class Group, class Words>
  WARPLOOM_HD float end_of(Group& group, const Thread& thread, Words& shared, int stage, int set, unsigned which, int w,
                           unsigned warp) const {
    const std::uint32_t at = end_word(set, which, w, warp, Block::column(thread));
    trace.access(group.block_number(), numbers().read(stage, which * words + static_cast<std::uint32_t>(w)),
                 thread.index, at * sizeof(float), slot_of_end(thread, which, warp));
    return shared[at];
  }
  WARPLOOM_HD std::uint32_t slot_of_end(const Thread& thread, unsigned which, unsigned warp) const {
    const std::uint32_t e = which == 0 ? ((warp + 1) << digits_of_warp) - 1 : warp << digits_of_warp;
    return f == 0 ? e : Block::column(thread) << systems.n | e;
  }

  template <int b, class Group, class Own, class Rows, class Words>
  WARPLOOM_HD void in_warps(Group& group, std::uint64_t block, Own& own, Rows& rows, Words& shared) const {
    if constexpr (b < warp_digits) {
      if (systems.n <= digits_of_warp + b) return;
      constexpr unsigned h = 1u << b, both = 2 * h - 1;
      constexpr int stage = digits_of_warp + b + 1, set = b % 2;
      group.each([&](const Thread& thread) {
        const unsigned warp = warp_of_row(thread) & both;
        const UnitEquation before = seam_end(rows[thread].v[count - 1], false),
                           behind = seam_end(rows[thread].v[0], true);
        WARPLOOM_UNROLL
        for (int w = 0; w < words; ++w) {
          if (warp == h - 1 && lane_of_row(thread) == last_lane_of_row)
            put_end(group, thread, shared, stage, set, 0, w, before.word(w));
          if (warp == h && lane_of_row(thread) == 0) put_end(group, thread, shared, stage, set, 1, w, behind.word(w));
        }
      });
      group.barrier();
      group.each([&](const Thread& thread) {
        const unsigned in_row = warp_of_row(thread), before = thread.index / warp_size - (in_row & both) + h - 1,
                       upper = in_row >> b & 1;
        UnitEquation near{}, across{};
        WARPLOOM_UNROLL
        for (int w = 0; w < words; ++w) {
          near.set_word(w, end_of(group, thread, shared, stage, set, upper, w, before + upper));
          across.set_word(w, end_of(group, thread, shared, stage, set, upper ^ 1, w, before + (upper ^ 1)));
        }
        lose_all(own[thread], rows[thread], near, across, upper);
      });
      told(group, block, own, rows, stage);
      in_warps<b + 1>(group, block, own, rows, shared);
    }
  }

  // Of ends:
  template <class Group, class Own, class Rows>
  WARPLOOM_HD void tell_ends(Group& group, std::uint64_t block, Own& own, Rows& ends) const {
    group.each([&](const Thread& thread) {
      if (own[thread].none) this->flag(block, thread);
      const std::uint64_t which = this->problem(block, thread);
      const unsigned in_row = this->thread_in_row(thread);
      if (which >= systems.problems) return;
      const auto full = [](const UnitEquation& e) { return SystemRow{e.a, 1, e.c, e.d}; };
      if (in_row == 0) systems.ends[2 * which] = full(ends[thread].v[0]);
      if (in_row + 1 == 1u << (systems.n - p)) systems.ends[2 * which + 1] = full(ends[thread].v[1]);
    });
  }
  /// The rows between the ends of a thread, by the unknowns of its neighbours'.
  template <class Group, class Own, class Rows, class Words>
  WARPLOOM_HD void back(Group& group, std::uint64_t block, Own& own, Rows& ends, Words& shared) const {
    static_assert(f == 0);
    const int stage = systems.n + 1, set = crosses_warps() ? (systems.n - digits_of_warp) % 2 : 0;
    typename Group::template PerThread<UnitEquation> before, behind;
    shuffle_lanes(
        group, before, [&](const Thread& thread) { return ends[thread].v[1]; },
        [](const Thread& thread) { return thread.index - 1; });
    shuffle_lanes(
        group, behind, [&](const Thread& thread) { return ends[thread].v[0]; },
        [](const Thread& thread) { return thread.index + 1; });
    if (crosses_warps()) {
      constexpr int right_side = 2;
      group.each([&](const Thread& thread) {
        const unsigned lane = thread.index % warp_size;
        if (lane == last_lane_of_row) put_end(group, thread, shared, stage, set, 0, right_side, ends[thread].v[1].d);
        if (lane == 0) put_end(group, thread, shared, stage, set, 1, right_side, ends[thread].v[0].d);
      });
      group.barrier();
      group.each([&](const Thread& thread) {
        const unsigned lane = thread.index % warp_size, warp = thread.index / warp_size, in_row = warp_of_row(thread);
        if (lane == 0 && in_row > 0)
          before[thread].d = end_of(group, thread, shared, stage, set, 0, right_side, warp - 1);
        if (lane == last_lane_of_row && in_row + 1 < 1u << (systems.n - digits_of_warp))
          behind[thread].d = end_of(group, thread, shared, stage, set, 1, right_side, warp + 1);
      });
    }
    group.each([&](const Thread& thread) {
      UnitEquation* const v = own[thread].v;
      const unsigned in_row = this->thread_in_row(thread);
      // Another system's unknown may be no number.
      const float left = in_row == 0 ? 0 : before[thread].d,
                  right = in_row + 1 == 1u << (systems.n - p) ? 0 : behind[thread].d;
      WARPLOOM_UNROLL
      for (int i = 1; i + 1 < items; ++i) v[i] = {0, 0, v[i].d - v[i].a * left - v[i].c * right};
      v[0] = ends[thread].v[0];
      v[items - 1] = ends[thread].v[1];
    });
    this->tell(group, block, own, stage);
  }
};

}  // namespace warploom
