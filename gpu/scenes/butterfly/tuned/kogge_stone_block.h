#pragma once
#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/scan_plans.h"
#include "gpu/scenes/butterfly/tuned/scan_rows.h"

namespace warploom {

/// A plan of rows that are a warp's, as kernels take it.
template <class Value>
struct NeighbourScanOf {
  static constexpr std::uint32_t word_bytes = sizeof(Value);
  static constexpr Plan plan = NeighbourScan::plan_of(NeighbourScan::most, NeighbourScan::most, word_bytes);
};

/// A block scans its rows by the network of Kogge and Stone: what is not a thread's own is of the lane 2^k before it.
template <class Operator, class Trace = NoTrace>
struct TunedKoggeStone : ScanRows<Operator> {
  using Rows = ScanRows<Operator>;
  using Value = typename Operator::Value;
  using Rows::exclusive, Rows::in, Rows::in_row, Rows::n, Rows::op, Rows::out;
  using Tuned = NeighbourScanOf<Value>;
  static constexpr int p = NeighbourScan::p, l = NeighbourScan::l, items = 1 << p, tile = p + l;
  static constexpr unsigned exact_threads = 1u << l, most_threads = exact_threads,
                            least_blocks = 4096u / sizeof(Value) >> l;
  static constexpr std::uint64_t threads_per_chunk = 1024;

  Trace trace;

  struct Registers {
    Value v[items];
  };
  template <class Group>
  using Own = typename Group::template PerThread<Registers>;

  std::uint64_t dynamic_shared_bytes() const { return shared_words(Tuned::plan) * sizeof(Value); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    Own<Group> own;
    auto words = group.template dynamic_tile<Value>(shared_words(Tuned::plan));
    const std::uint64_t first = group.block_number() << tile;
    const std::uint32_t there = this->elements_from(first, 1u << tile);
    const auto get = [&](const Thread& thread, int i, int) { return own[thread].v[i]; };
    const auto set = [&](const Thread& thread, int i, int, const Value& value) { own[thread].v[i] = value; };
    group.each([&](const Thread& thread) {
      Registers values{};
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4)
        if (const std::uint32_t e = element_in_step<Tuned, 0>(thread, i); e < there)
          this->load_four(in + first + e, values.v + i);
      own[thread] = values;
    });
    warploom::exchange<Tuned, 1>(group, words, trace, 1, get, set);
    tell(group, own, first, 0);
    in_thread<0>(group, own, first);
    in_thread<1>(group, own, first);
    in_thread<2>(group, own, first);
    in_thread<3>(group, own, first);
    in_lanes<0>(group, own, first);
    in_lanes<1>(group, own, first);
    in_lanes<2>(group, own, first);
    in_lanes<3>(group, own, first);
    in_lanes<4>(group, own, first);
    if (exclusive) shift(group, own);
    before_exchange<true>(group, 1);
    warploom::exchange<Tuned, 2>(group, words, trace, n + 1, get, set);
    group.each([&](const Thread& thread) {
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4)
        if (const std::uint32_t e = element_in_step<Tuned, 2>(thread, i); e < there)
          this->store_four(out + first + e, own[thread].v + i);
    });
  }

 private:
  WARPLOOM_HD static std::uint32_t element(const Thread& thread, int item) {
    return thread.index << p | static_cast<std::uint32_t>(item);
  }
  template <class Group>
  WARPLOOM_HD void tell(Group& group, Own<Group>& own, std::uint64_t first, int stage) const {
    this->tell_values(trace, group, own, first, stage, [](const Thread& thread, int i) { return element(thread, i); });
  }
  /// A register of each thread's lane `before` lanes before it; where its row has none, anything.
  template <class Group, class One>
  WARPLOOM_HD static void from_before(Group& group, Own<Group>& own, One& received, int item, unsigned before) {
    shuffle_lanes(
        group, received, [&](const Thread& thread) { return own[thread].v[item]; },
        [&](const Thread& thread) { return thread.index - before; });
  }
  template <int d, class Group>
  WARPLOOM_HD void in_thread(Group& group, Own<Group>& own, std::uint64_t first) const {
    constexpr int h = 1 << d;
    Own<Group> foreign;
    WARPLOOM_UNROLL
    for (int i = 0; i < h; ++i) {
      typename Group::template PerThread<Value> received;
      from_before(group, own, received, items - h + i, 1);
      group.each([&](const Thread& thread) { foreign[thread].v[i] = received[thread]; });
    }
    group.each([&](const Thread& thread) {
      Value* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = items - 1; i >= h; --i) v[i] = op.combine(v[i - h], v[i]);
      if (in_row(element(thread, 0)) == 0) return;
      WARPLOOM_UNROLL
      for (int i = 0; i < h; ++i) v[i] = op.combine(foreign[thread].v[i], v[i]);
    });
    tell(group, own, first, d + 1);
  }
  template <int b, class Group>
  WARPLOOM_HD void in_lanes(Group& group, Own<Group>& own, std::uint64_t first) const {
    if (n <= p + b) return;
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) {
      typename Group::template PerThread<Value> received;
      from_before(group, own, received, i, 1u << b);
      group.each([&](const Thread& thread) {
        if (in_row(element(thread, 0)) >> (p + b) != 0)
          own[thread].v[i] = op.combine(received[thread], own[thread].v[i]);
      });
    }
    tell(group, own, first, p + 1 + b);
  }
  template <class Group>
  WARPLOOM_HD void shift(Group& group, Own<Group>& own) const {
    typename Group::template PerThread<Value> received;
    from_before(group, own, received, items - 1, 1);
    group.each([&](const Thread& thread) {
      Value* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = items - 1; i > 0; --i) v[i] = v[i - 1];
      v[0] = in_row(element(thread, 0)) == 0 ? op.identity() : received[thread];
    });
  }
};

}  // namespace warploom
