#pragma once
#include "gpu/core/pack.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/sort_plans.h"

namespace warploom {

/// A block of 2^l threads sorts its rows in registers, its digits placed when it was compiled; merges that are longer
/// than a row are left out. Keys of blocks that fall are complemented meanwhile, so that all comparators of threads
/// rise. Source: batcher1968sorting.
template <int l, class Trace = NoTrace>
struct TunedSort {
  using Tuned = SortOf<l>;
  using Key = std::uint32_t;
  static constexpr int p = SortForm::p, items = 1 << p, tile = p + l;
  static constexpr unsigned exact_threads = 1u << l, most_threads = exact_threads, least_blocks = 1024u >> l;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  const Key* in;  ///< (batch, N)
  Key* out;
  int n;                     ///< log2 of a row's keys; of a longer one's tiles
  std::uint64_t keys;        ///< of all rows
  int falls_by = -1;         ///< of tiles: the bit of their number that says which fall; -1: none
  bool only_merges = false;  ///< of tiles: the last merge alone
  Trace trace;
  Key one = 1, minus_one = ~Key{0};  ///< numbers that the compiler does not know

  std::uint64_t dynamic_shared_bytes() const { return shared_words(Tuned::plan) * sizeof(Key); }

  struct Registers {
    Key v[items];
  };
  template <class Group>
  using Own = typename Group::template PerThread<Registers>;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    constexpr int last = Tuned::plan.steps - 1;
    Own<Group> own;
    auto words = group.template dynamic_tile<Key>(shared_words(Tuned::plan));
    const std::uint64_t first = group.block_number() << tile;
    const std::uint32_t there = elements_there(keys, first, tile);
    group.each([&](const Thread& thread) {
      Registers values{};
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4) {
        const std::uint32_t e = element_in_step<Tuned, 0>(thread, i);
        if (e >= there) continue;
        const auto four = load_pack<4>(in + first + e);
        WARPLOOM_UNROLL
        for (unsigned k = 0; k < 4; ++k) values.v[i + static_cast<int>(k)] = four[k];
      }
      own[thread] = values;
    });
    tell<0>(group, own, first, 0);
    run<1>(group, own, words, first);
    if (falls_by >= 0) turn(group, own, n, -1);
    before_exchange<true>(group, last_left_warps<SortForm::least>() ? 2 : 1);
    bring<last>(group, own, words, n * (n + 1) / 2 + 1);
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4) {
        const std::uint32_t e = element_in_step<Tuned, last>(thread, i);
        const Key* const v = own[thread].v + i;
        if (e < there) store_pack(out + first + e, Pack<Key, 4>{v[0], v[1], v[2], v[3]});
      }
    });
  }

 private:
  template <int step, class Group, class Words>
  WARPLOOM_HD void bring(Group& group, Own<Group>& own, Words& words, int stage) const {
    exchange<Tuned, step>(
        group, words, trace, stage, [&](const Thread& thread, int i, int) { return own[thread].v[i]; },
        [&](const Thread& thread, int i, int, Key key) { own[thread].v[i] = key; });
  }
  /// Of rows of this length: whether the exchange before the last one left its warps.
  template <int k>
  WARPLOOM_HD bool last_left_warps() const {
    if constexpr (k < tile)
      if (k < n) return last_left_warps<k + 1>();
    return SortedRows<k, l>::last_left_warps;
  }

  /// The steps from one on, but for the last.
  template <int step, class Group, class Words>
  WARPLOOM_HD void run(Group& group, Own<Group>& own, Words& words, std::uint64_t first) const {
    if constexpr (step + 1 < Tuned::plan.steps) {
      constexpr int from = Tuned::plan.step[step].first, to = Tuned::plan.step[step].last, k = SortStages::step(from).k;
      constexpr bool at_rest = step == 1, begins = !at_rest && SortStages::step(from).j == k;
      if (at_rest || (k <= n && (!only_merges || k == n))) {
        if constexpr (begins) turn(group, own, k, only_merges ? -1 : k - 1);
        before_exchange<Tuned::plan.step[step].into.in_warp>(group, exchanged_before(Tuned::plan, step));
        bring<step>(group, own, words, from);
        if (!at_rest || !only_merges) compare<step, from, to>(group, own, first);
      }
      run<step + 1>(group, own, words, first);
    }
  }

  /// Whether the runs of 2^k that a thread has keys of fall, where registers hold the lowest digits.
  WARPLOOM_HD bool falls(std::uint64_t block, const Thread& thread, int k) const {
    if (k < p) return false;
    if (k == n) return falls_by >= 0 && block >> falls_by & 1;
    return thread.index >> (k - p) & 1;
  }
  /// Keys that were complemented as merges of 2^before had it become those of 2^now; below 0: none.
  template <class Group>
  WARPLOOM_HD void turn(Group& group, Own<Group>& own, int now, int before) const {
    group.each([&](const Thread& thread) {
      const Key turned =
          falls(group.block_number(), thread, now) != falls(group.block_number(), thread, before) ? ~Key{0} : 0;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) own[thread].v[i] = own[thread].v[i] * (turned | 1) + turned;
    });
  }

  /// The stages from one on.
  template <int step, int stage, int last, class Group>
  WARPLOOM_HD void compare(Group& group, Own<Group>& own, std::uint64_t first) const {
    if constexpr (stage <= last) {
      constexpr auto at = SortStages::step(stage);
      if (at.k > n) return;
      constexpr bool begins = at.j == at.k && at.k >= p && step == 1;
      if constexpr (begins) turn(group, own, at.k, at.k - 1);
      constexpr int bit = Tuned::plan.step[step].at.registers.bit_of(at.j - 1);
      if constexpr (bit >= 0)
        compare_registers<at.k, bit>(group, own);
      else
        compare_lanes<Tuned::plan.step[step].at.thread.bit_of(at.j - 1)>(group, own);
      tell<step>(group, own, first, stage);
      compare<step, stage + 1, last>(group, own, first);
    }
  }
  template <int k, int bit, class Group>
  WARPLOOM_HD void compare_registers(Group& group, Own<Group>& own) const {
    // What finds the least and the greatest is half as fast as what adds: some of the latter are sums less the least.
    constexpr int every = k < 6 ? 0 : k < 9 ? 4 : 3;
    group.each([&](const Thread& thread) {
      Key* const v = own[thread].v;
      int comparator = 0;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        if (i >> bit & 1) continue;
        const bool rises = k >= p || !(i >> (k < p ? k : 0) & 1);
        Key &lower = v[i], &upper = v[i | 1 << bit];
        const Key a = lower, b = upper, least = a < b ? a : b;
        Key most = a < b ? b : a;
        if constexpr (Group::on_device && every > 0)
          if (comparator % every == every - 1) most = a * one + b + minus_one * least;
        lower = rises ? least : most;
        upper = rises ? most : least;
        ++comparator;
      }
    });
  }
  template <int bit, class Group>
  WARPLOOM_HD void compare_lanes(Group& group, Own<Group>& own) const {
    static_assert(bit >= 0 && bit < 5);
    typename Group::template PerThread<unsigned> lanes;
    group.each([&](const Thread& thread) { lanes[thread] = (thread.index ^ 1u << bit) % warp_size; });
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) {
      typename Group::template PerThread<Key> sent, other;
      group.each([&](const Thread& thread) { sent[thread] = own[thread].v[i]; });
      group.shuffle(sent, lanes, other);
      group.each([&](const Thread& thread) {
        const Key a = own[thread].v[i], b = other[thread];
        const bool upper = thread.index >> bit & 1;
        own[thread].v[i] = (a < b) == upper ? b : a;
      });
    }
  }

  template <int step, class Group>
  WARPLOOM_HD void tell([[maybe_unused]] Group& group, [[maybe_unused]] Own<Group>& own,
                        [[maybe_unused]] std::uint64_t first, [[maybe_unused]] int stage) const {
    if constexpr (Trace::on)
      group.each([&](const Thread& thread) {
        const int k = stage == 0 ? 0 : SortStages::step(stage).k;
        WARPLOOM_UNROLL_NONE
        for (int i = 0; i < items; ++i) {
          const std::uint64_t e = first + element_in_step<Tuned, step>(thread, i);
          const bool complemented = k >= p && k < n && e >> k & 1;
          const Key key = own[thread].v[i];
          trace.step(stage, e >> n, static_cast<std::uint32_t>(e & ((1u << n) - 1)), complemented ? ~key : key);
        }
      });
  }
};

}  // namespace warploom
