#pragma once
#include <type_traits>

#include "gpu/scenes/butterfly/tuned/exchange.h"
#include "gpu/scenes/butterfly/tuned/scan_plans.h"
#include "gpu/scenes/butterfly/tuned/scan_rows.h"

namespace warploom {

/// A block scans its rows in registers by the network of Ladner and Fischer or of Brent and Kung, its digits placed
/// when it was compiled. Stages of digits that a row has not are left out. Of 2^l threads, or, of any_block, of up to
/// 2^9: then the group says how many. Source: the house's design.
template <class Network, class Operator, int l_, class Trace = NoTrace>
struct TunedScan : ScanRows<Operator> {
  using Rows = ScanRows<Operator>;
  using Value = typename Operator::Value;
  using Rows::exclusive, Rows::in, Rows::in_row, Rows::n, Rows::op, Rows::out;
  static constexpr int l = l_ == any_block ? StayingScan::most_threads : l_, p = StayingScan::p, items = 1 << p,
                       digits_of_warp = StayingScan::digits_of_warp, warp_digits = l - 5;
  static constexpr unsigned most_threads = 1u << l, exact_threads = l_ == any_block ? 0 : most_threads,
                            least_blocks = 4096u / sizeof(Value) >> l;
  static constexpr std::uint64_t threads_per_chunk = 1024;
  /// Of every pair of halves all of the upper half takes the last of the lower; else its last element alone.
  static constexpr bool all_of_half = std::is_same_v<Network, LadnerFischer>;
  static_assert(all_of_half || std::is_same_v<Network, BrentKung>);

  static constexpr bool on_cpu = l_ == any_block, on_devices = !on_cpu;

  Trace trace;

  struct Registers {
    Value v[items];
  };
  template <class Group>
  using Own = typename Group::template PerThread<Registers>;
  template <class Group>
  using One = typename Group::template PerThread<Value>;

  /// A total of each warp.
  WARPLOOM_HD std::uint64_t words_of_block() const {
    if constexpr (l_ == any_block)
      return 1u << (StayingScan::threads(n) - 5);
    else
      return 1u << warp_digits;
  }
  std::uint64_t dynamic_shared_bytes() const { return n > digits_of_warp ? words_of_block() * sizeof(Value) : 0; }
  /// How a trace numbers accesses: a warp's total, and those of all warps of a row.
  WARPLOOM_HD AccessNumbers numbers() const { return {1, static_cast<std::uint32_t>(words_of_block())}; }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    Own<Group> own;
    One<Group> before;
    const std::uint64_t first = group.block_number() * elements_of(group);
    load(group, own, first);
    run(group, own, before, first);
    if (exclusive) shift(group, own, before);
    group.each([&](const Thread& thread) { store(group, thread, own[thread], first); });
  }

  // The parts of it, for blocks that do more with their rows.
  /// Of a block.
  template <class Group>
  WARPLOOM_HD static std::uint32_t elements_of(const Group& group) {
    return (l_ == any_block ? static_cast<std::uint32_t>(group.size()) : most_threads) << p;
  }
  template <class Group>
  WARPLOOM_HD void load(Group& group, Own<Group>& own, std::uint64_t first) const {
    const std::uint32_t there = this->elements_from(first, elements_of(group));
    group.each([&](const Thread& thread) {
      Registers values{};
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4)
        if (const std::uint32_t e = element(thread, i); e < there) this->load_four(in + first + e, values.v + i);
      own[thread] = values;
    });
    tell(group, own, first, 0);
  }
  template <class Group>
  WARPLOOM_HD void store(const Group& group, const Thread& thread, const Registers& own, std::uint64_t first) const {
    const std::uint32_t there = this->elements_from(first, elements_of(group));
    WARPLOOM_UNROLL
    for (int i = 0; i < items; i += 4)
      if (const std::uint32_t e = element(thread, i); e < there) this->store_four(out + first + e, own.v + i);
  }
  /// All stages. `before`, in the last lane of each warp: what the elements of its row before it come to, where a stage
  /// or an exclusive scan asks for it.
  template <class Group>
  WARPLOOM_HD void run(Group& group, Own<Group>& own, One<Group>& before, std::uint64_t first) const {
    in_thread<0>(group, own, first);
    in_thread<1>(group, own, first);
    in_lanes<0>(group, own, first);
    in_lanes<1>(group, own, first);
    in_lanes<2>(group, own, first);
    in_lanes<3>(group, own, first);
    in_lanes<4>(group, own, first);
    in_registers<0>(group, own, first);
    in_registers<1>(group, own, first);
    in_registers<2>(group, own, first);
    auto totals = group.template dynamic_tile<Value>(n > digits_of_warp ? words_of_block() : 0);
    if (n > digits_of_warp) {
      group.each([&](const Thread& thread) {
        if (thread.index % warp_size != last_lane) return;
        const std::uint32_t warp = thread.index / warp_size;
        totals[warp] = own[thread].v[items - 1];
        trace.access(group.block_number(), numbers().write(digits_of_warp + 1, 0), thread.index, warp * sizeof(Value),
                     last_of(warp));
      });
      group.barrier();
      in_warps<0>(group, own, totals, first);
    }
    if constexpr (!all_of_half) {
      if (n > digits_of_warp) warps_down<warp_digits - 2>(group, own, totals, first);
      find_before(group, before, totals, 2 * n - digits_of_warp);
      registers_down<2>(group, own, before, first);
      registers_down<1>(group, own, before, first);
      registers_down<0>(group, own, before, first);
      lanes_down<4>(group, own, before, first);
      lanes_down<3>(group, own, before, first);
      lanes_down<2>(group, own, before, first);
      lanes_down<1>(group, own, before, first);
      lanes_down<0>(group, own, before, first);
      threads_down(group, own, before, first);
    } else if (exclusive) {
      find_before(group, before, totals, n + 1);
    }
  }
  /// What is exclusive moves on by one; the first element of a row becomes the identity.
  template <class Group>
  WARPLOOM_HD void shift(Group& group, Own<Group>& own, One<Group>& before) const {
    each_preceding(group, own, before, [&](const Thread& thread, int i, const Value& value) {
      Value* const four = own[thread].v + i;
      four[3] = four[2];
      four[2] = four[1];
      four[1] = four[0];
      four[0] = in_row(element(thread, i)) == 0 ? op.identity() : value;
    });
  }
  WARPLOOM_HD static std::uint32_t element(const Thread& thread, int item) {
    return element_in_step<StayingScanOf<l>, 0>(thread, item);
  }

 private:
  static constexpr unsigned last_lane = warp_size - 1;
  WARPLOOM_HD static std::uint32_t last_of(std::uint32_t warp) { return ((warp + 1) << digits_of_warp) - 1; }
  /// Of a row's warps: the number of this one.
  WARPLOOM_HD std::uint32_t warp_in_row(const Thread& thread) const {
    return thread.index / warp_size & ((1u << (n - digits_of_warp)) - 1);
  }

  template <class Group>
  WARPLOOM_HD void tell(Group& group, Own<Group>& own, std::uint64_t first, int stage) const {
    this->tell_values(trace, group, own, first, stage, [](const Thread& thread, int i) { return element(thread, i); });
  }

  // Up: pairs of digit d, from 0 on: the last of the lower half joins the upper one.
  template <int d, class Group>
  WARPLOOM_HD void in_thread(Group& group, Own<Group>& own, std::uint64_t first) const {
    group.each([&](const Thread& thread) {
      Value* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; ++i) {
        constexpr int h = 1 << d;
        if ((i & h) && (all_of_half || (i & (h - 1)) == h - 1))
          v[i] = op.combine(v[(i & ~(2 * h - 1)) | (h - 1)], v[i]);
      }
    });
    tell(group, own, first, d + 1);
  }
  template <int b, class Group>
  WARPLOOM_HD void in_lanes(Group& group, Own<Group>& own, std::uint64_t first) const {
    if (n <= 2 + b) return;
    const auto joins = [](const Thread& thread) {
      constexpr unsigned both = (2u << b) - 1, upper = 1u << b;
      return all_of_half ? (thread.index & upper) != 0 : (thread.index & both) == both;
    };
    WARPLOOM_UNROLL
    for (int i = 0; i < items; i += 4) {
      One<Group> received;
      shuffle_lanes(
          group, received, [&](const Thread& thread) { return own[thread].v[i + 3]; },
          [&](const Thread& thread) {
            const unsigned lane = thread.index % warp_size;
            return joins(thread) ? (lane >> b << b) - 1 : lane;
          });
      group.each([&](const Thread& thread) {
        if (!joins(thread)) return;
        WARPLOOM_UNROLL
        for (int k = all_of_half ? 0 : 3; k < 4; ++k)
          own[thread].v[i + k] = op.combine(received[thread], own[thread].v[i + k]);
      });
    }
    tell(group, own, first, 3 + b);
  }
  template <int c, class Group>
  WARPLOOM_HD void in_registers(Group& group, Own<Group>& own, std::uint64_t first) const {
    if (n <= 7 + c) return;
    constexpr int half = 4 << c;  // registers
    WARPLOOM_UNROLL
    for (int i = 0; i < items; i += 2 * half) {
      if constexpr (all_of_half) {
        One<Group> received;
        shuffle_lanes(
            group, received, [&](const Thread& thread) { return own[thread].v[i + half - 1]; },
            [](const Thread&) { return last_lane; });
        group.each([&](const Thread& thread) {
          WARPLOOM_UNROLL
          for (int k = i + half; k < i + 2 * half; ++k)
            own[thread].v[k] = op.combine(received[thread], own[thread].v[k]);
        });
      } else {
        group.each([&](const Thread& thread) {
          Value* const v = own[thread].v;
          if (thread.index % warp_size == last_lane)
            v[i + 2 * half - 1] = op.combine(v[i + half - 1], v[i + 2 * half - 1]);
        });
      }
    }
    tell(group, own, first, 8 + c);
  }
  template <int b, class Group, class Totals>
  WARPLOOM_HD void in_warps(Group& group, Own<Group>& own, Totals& totals, std::uint64_t first) const {
    if constexpr (b < warp_digits) {
      if (n <= digits_of_warp + b) return;
      group.each([&](const Thread& thread) {
        constexpr std::uint32_t h = 1u << b, both = 2 * h - 1;
        const std::uint32_t warp = warp_in_row(thread);
        Value* const v = own[thread].v;
        if (all_of_half ? !(warp & h) : (warp & both) != both || thread.index % warp_size != last_lane) return;
        const Value lower = total<b>(reader(group, thread, totals, digits_of_warp + 1 + b), warp & ~both);
        WARPLOOM_UNROLL
        for (int i = all_of_half ? 0 : items - 1; i < items; ++i) v[i] = op.combine(lower, v[i]);
      });
      tell(group, own, first, digits_of_warp + 1 + b);
      in_warps<b + 1>(group, own, totals, first);
    }
  }

  /// Reads the total of a warp of a thread's row.
  template <class Group, class Totals>
  WARPLOOM_HD auto reader(Group& group, const Thread& thread, Totals& totals, int stage) const {
    return [&group, &thread, &totals, stage, this](std::uint32_t warp) -> Value {
      const std::uint32_t at = thread.index / warp_size - warp_in_row(thread) + warp;
      trace.access(group.block_number(), numbers().read(stage, warp), thread.index, at * sizeof(Value), last_of(at));
      return totals[at];
    };
  }
  /// Of 2^b warps, as the network makes it.
  template <int b, class Reader>
  WARPLOOM_HD Value total(const Reader& read, std::uint32_t warp) const {
    if constexpr (b == 0)
      return read(warp);
    else
      return op.combine(total<b - 1>(read, warp), total<b - 1>(read, warp + (1u << (b - 1))));
  }
  /// Of the first `warps` of a row, from bit b on; `sum` is of those by higher bits.
  template <int b, class Reader>
  WARPLOOM_HD Value prefix(const Reader& read, std::uint32_t warps, Value sum = {}) const {
    if constexpr (b < 0) {
      return sum;
    } else {
      const std::uint32_t done = warps >> (b + 1) << (b + 1);
      if (warps >> b & 1) {
        const Value more = total<b>(read, done);
        sum = done ? op.combine(sum, more) : more;
      }
      return prefix<b - 1>(read, warps, sum);
    }
  }
  /// ... as elements join what is before them: the nearest first, from bit b on.
  template <int b, class Reader>
  WARPLOOM_HD Value joined(const Reader& read, std::uint32_t warp, Value value) const {
    if constexpr (b < warp_digits) {
      if (warp >> b & 1) value = op.combine(total<b>(read, warp >> (b + 1) << (b + 1)), value);
      return joined<b + 1>(read, warp, value);
    } else {
      return value;
    }
  }
  template <class Group, class Totals>
  WARPLOOM_HD void find_before(Group& group, One<Group>& before, Totals& totals, int stage) const {
    group.each([&](const Thread& thread) {
      Value value = op.identity();
      if (n > digits_of_warp && thread.index % warp_size == last_lane) {
        const auto read = reader(group, thread, totals, stage);
        if (const std::uint32_t warp = warp_in_row(thread); warp != 0)
          value = all_of_half ? joined<0>(read, warp - 1, read(warp - 1)) : prefix<warp_digits - 1>(read, warp);
      }
      before[thread] = value;
    });
  }

  // Down, of Brent and Kung: the last of a block joins the last of the lower half of the next one. Stage 2n - 1 - d.
  template <int b, class Group, class Totals>
  WARPLOOM_HD void warps_down(Group& group, Own<Group>& own, Totals& totals, std::uint64_t first) const {
    if constexpr (b >= 0) {
      constexpr int d = digits_of_warp + b;
      if (d <= n - 2) {
        group.each([&](const Thread& thread) {
          constexpr std::uint32_t h = 1u << b;
          const std::uint32_t warp = warp_in_row(thread);
          if (thread.index % warp_size != last_lane || (warp & (2 * h - 1)) != h - 1 || warp < 2 * h) return;
          Value& last = own[thread].v[items - 1];
          last = op.combine(prefix<warp_digits - 1>(reader(group, thread, totals, 2 * n - 1 - d), warp + 1 - h), last);
        });
        tell(group, own, first, 2 * n - 1 - d);
      }
      warps_down<b - 1>(group, own, totals, first);
    }
  }
  /// Whether an element of the lower half of a pair by digit d is not in the first pair of its row.
  WARPLOOM_HD bool has_pair_before(const Thread& thread, int item, int d) const {
    return in_row(element(thread, item)) >> (d + 1) != 0;
  }
  template <int c, class Group>
  WARPLOOM_HD void registers_down(Group& group, Own<Group>& own, One<Group>& before, std::uint64_t first) const {
    constexpr int d = 7 + c, half = 4 << c;
    if (d > n - 2) return;
    group.each([&](const Thread& thread) {
      if (thread.index % warp_size != last_lane) return;
      Value* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 2 * half) {
        const Value from = i == 0 ? before[thread] : v[i == 0 ? 0 : i - 1];
        if (has_pair_before(thread, i + half - 1, d)) v[i + half - 1] = op.combine(from, v[i + half - 1]);
      }
    });
    tell(group, own, first, 2 * n - 1 - d);
  }
  /// What the last lane sends to those of whom it stands behind: what precedes four neighbours of the first lane.
  template <class Group>
  WARPLOOM_HD static Value sent_on(const Thread& thread, Own<Group>& own, One<Group>& before, int i) {
    if (thread.index % warp_size != last_lane) return own[thread].v[i + 3];
    return i == 0 ? before[thread] : own[thread].v[i == 0 ? 0 : i - 1];
  }
  template <int b, class Group>
  WARPLOOM_HD void lanes_down(Group& group, Own<Group>& own, One<Group>& before, std::uint64_t first) const {
    constexpr int d = 2 + b;
    constexpr unsigned h = 1u << b;
    if (d > n - 2) return;
    WARPLOOM_UNROLL
    for (int i = 0; i < items; i += 4) {
      One<Group> received;
      shuffle_lanes(
          group, received, [&](const Thread& thread) { return sent_on<Group>(thread, own, before, i); },
          [](const Thread& thread) { return (thread.index - h) % warp_size; });
      group.each([&](const Thread& thread) {
        Value& last = own[thread].v[i + 3];
        if ((thread.index & (2 * h - 1)) == h - 1 && has_pair_before(thread, i + 3, d))
          last = op.combine(received[thread], last);
      });
    }
    tell(group, own, first, 2 * n - 1 - d);
  }
  template <class Group>
  WARPLOOM_HD void threads_down(Group& group, Own<Group>& own, One<Group>& before, std::uint64_t first) const {
    typename Group::template PerThread<Registers> preceding;  // of every fourth register
    each_preceding(group, own, before, [&](const Thread& thread, int i, const Value& value) {
      preceding[thread].v[i] = value;
      Value& own_value = own[thread].v[i + 1];
      if (has_pair_before(thread, i + 1, 1)) own_value = op.combine(value, own_value);
    });
    tell(group, own, first, 2 * n - 2);
    group.each([&](const Thread& thread) {
      Value* const v = own[thread].v;
      WARPLOOM_UNROLL
      for (int i = 0; i < items; i += 4) {
        if (has_pair_before(thread, i, 0)) v[i] = op.combine(preceding[thread].v[i], v[i]);
        v[i + 2] = op.combine(v[i + 1], v[i + 2]);
      }
    });
    tell(group, own, first, 2 * n - 1);
  }
  /// body(thread, i, value): of every fourth register from 0 on what the element before it is.
  template <class Group, class Body>
  WARPLOOM_HD void each_preceding(Group& group, Own<Group>& own, One<Group>& before, Body&& body) const {
    // From the last on: what a body changes of four values is not asked for by those before.
    WARPLOOM_UNROLL
    for (int i = items - 4; i >= 0; i -= 4) {
      One<Group> received;
      shuffle_lanes(
          group, received, [&](const Thread& thread) { return sent_on<Group>(thread, own, before, i); },
          [](const Thread& thread) { return (thread.index - 1) % warp_size; });
      group.each([&](const Thread& thread) { body(thread, i, received[thread]); });
    }
  }
};

}  // namespace warploom
