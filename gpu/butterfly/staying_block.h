#pragma once
#include "gpu/butterfly/equation.h"
#include "gpu/butterfly/network.h"
#include "gpu/butterfly/trace.h"
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"

// Algorithms whose elements stay where they were loaded, as a rule has them (rules/):
//
//   Network network; Value; Word; Step
//   static constexpr int operands, words           a value goes through shared memory in so many words
//   load(problem, e), store(problem, e, value, zero)
//   words_of(stage)                                how many of them an operand of that stage needs
//   word(value, w), join(words)                    and back; the w-th word of element e lies where e ^ w would be
//   node(stage, e, operands, there, zero)          Value
//   step(value)                                    what a trace tells of it
//   singular                                       (batch) or null: as `note_zero` has it
namespace warploom {

/// Stages of a network.
struct StageSet {
  std::uint64_t bits[2] = {0, 0};
  WARPLOOM_HD bool has(int stage) const { return bits[stage / 64] >> (stage % 64) & 1; }
  WARPLOOM_HD void add(int stage) { bits[stage / 64] |= std::uint64_t{1} << (stage % 64); }
  WARPLOOM_HD bool none() const { return !(bits[0] | bits[1]); }
};

/// The earliest stage, and its smallest row, that divides by 0 is what stays.
WARPLOOM_HD void note_zero(std::uint64_t* of_problem, int stage, const ZeroPivot& zero) {
  if (of_problem && zero.row != no_element)
    atomic_minimum(of_problem, static_cast<std::uint64_t>(stage) << 32 | zero.row);
}

/// A value of an array in registers, by a number that is known when it runs.
template <int most, class Value>
WARPLOOM_HD Value picked(const Value (&values)[most], std::uint32_t which) {
  if (!on_device()) return values[which];
  Value value = values[0];
  WARPLOOM_UNROLL
  for (int i = 1; i < most; ++i)
    if (which == static_cast<std::uint32_t>(i)) value = values[i];
  return value;
}

/// A block runs all stages of its problems. `most`: registers of values a thread, at least 2^p. Source:
/// lobeiras2015bplg.
template <class Rule, int most, bool shuffles, class Trace = NoTrace>
struct StayingBlock {
  static constexpr std::uint64_t threads_per_chunk = 1024;
  using Value = typename Rule::Value;
  using Word = typename Rule::Word;
  static constexpr int operands = Rule::Network::operands, words = Rule::words;

  Rule rule;
  NetworkMapping mapping;
  std::uint64_t batch;
  StageSet crossing;  ///< stages with an operand through shared memory
  Trace trace;

  std::uint64_t dynamic_shared_bytes() const { return crossing.none() ? 0 : sizeof(Word) << mapping.s; }
  /// How a trace numbers accesses.
  WARPLOOM_HD AccessNumbers numbers() const {
    const std::uint32_t items = 1u << mapping.p;
    return {items * words, items * operands * words};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    struct Registers {
      Value v[most];
    };
    struct Foreign {
      Value v[shuffles ? most * operands : 1];
    };
    typename Group::template PerLane<Registers> own;
    typename Group::template PerLane<Foreign> foreign;
    auto tile = group.template dynamic_tile<Word>(crossing.none() ? 0 : 1u << mapping.s);
    const std::uint32_t items = 1u << mapping.p;
    const std::uint64_t first_problem = group.block_number() << mapping.threads_y();
    const auto live = [&](const Thread& thread) { return first_problem + thread.at.y < batch; };
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      Registers all{};
      WARPLOOM_UNROLL
      for (int i = 0; i < most; ++i)
        if (i < static_cast<int>(items))
          all.v[i] = rule.load(first_problem + thread.at.y, thread.at.x << mapping.p | static_cast<std::uint32_t>(i));
      own[thread] = all;
      tell(thread, 0, first_problem, own[thread].v);
    });
    bool written = false;
    for (int stage = 1; stage <= rule.network.stages(); ++stage) {
      if constexpr (shuffles) shuffle(group, own, foreign, stage);
      if (crossing.has(stage)) {
        if (written) group.barrier();
        written = true;
        group.each([&](const Thread& thread) {
          if (live(thread)) put(group.block_number(), thread, own[thread].v, tile, stage);
        });
        group.barrier();
      }
      group.each([&](const Thread& thread) {
        if (!live(thread)) return;
        Registers next = own[thread];
        ZeroPivot zero;
        WARPLOOM_UNROLL
        for (int i = 0; i < most; ++i) {
          const auto item = static_cast<std::uint32_t>(i);
          const std::uint32_t e = thread.at.x << mapping.p | item;
          if (item >= items || !rule.network.makes(stage, e)) continue;
          Value from[operands]{};
          bool there[operands];
          for (int k = 0; k < operands; ++k) {
            const std::uint32_t other = rule.network.partner(stage, e, k);
            there[k] = other != no_element;
            if (!there[k]) continue;
            const NetworkPlace at = rule.network.place(stage - 1, other);
            if (at.thread == thread.at.x)
              from[k] = picked(own[thread].v, at.item);
            else if (shuffles && near(thread, at.thread))
              from[k] = foreign[thread].v[shuffles ? i * operands + k : 0];
            else
              from[k] = get(group.block_number(), thread, tile, stage, other, i * operands + k);
          }
          next.v[i] = rule.node(stage, e, from, there, zero);
        }
        note_zero(rule.singular ? rule.singular + first_problem + thread.at.y : nullptr, stage, zero);
        own[thread] = next;
        tell(thread, stage, first_problem, own[thread].v);
      });
    }
    group.each([&](const Thread& thread) {
      if (!live(thread)) return;
      ZeroPivot zero;
      const std::uint64_t problem = first_problem + thread.at.y;
      WARPLOOM_UNROLL
      for (int i = 0; i < most; ++i)
        if (i < static_cast<int>(items))
          rule.store(problem, thread.at.x << mapping.p | static_cast<std::uint32_t>(i), own[thread].v[i], zero);
      note_zero(rule.singular ? rule.singular + problem : nullptr, rule.network.stages() + 1, zero);
    });
  }

 private:
  WARPLOOM_HD void tell([[maybe_unused]] const Thread& thread, [[maybe_unused]] int stage,
                        [[maybe_unused]] std::uint64_t first_problem,
                        [[maybe_unused]] const Value (&values)[most]) const {
    if constexpr (Trace::on) {
      for (std::uint32_t i = 0; i < 1u << mapping.p; ++i)
        trace.step(stage, first_problem + thread.at.y, thread.at.x << mapping.p | i, rule.step(values[i]));
    }
  }
  /// In the warp of this thread, of the same problem?
  WARPLOOM_HD static bool near(const Thread& thread, std::uint32_t other) {
    return (thread.index - thread.at.x + other) / warp_size == thread.index / warp_size;
  }
  WARPLOOM_HD std::uint32_t word_at(const Thread& thread, std::uint32_t e) const {
    const NetworkPlace at = rule.network.place(0, e);
    return (thread.index - thread.at.x + at.thread) | at.item << (mapping.s - mapping.p);
  }
  /// Is it an operand of another thread, or, where what is near is shuffled, of another warp?
  WARPLOOM_HD bool fetched(const Thread& thread, int stage, std::uint32_t e) const {
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t by = rule.network.consumer(stage, e, k);
      if (by == no_element) continue;
      const std::uint32_t who = rule.network.place(stage, by).thread;
      if (who != thread.at.x && !(shuffles && near(thread, who))) return true;
    }
    return false;
  }

  template <class Tile>
  WARPLOOM_HD void put(std::uint64_t block, const Thread& thread, const Value (&values)[most], Tile& tile,
                       int stage) const {
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i) {
      const auto item = static_cast<std::uint32_t>(i);
      const std::uint32_t e = thread.at.x << mapping.p | item;
      if (item >= 1u << mapping.p || !fetched(thread, stage, e)) continue;
      for (int w = 0; w < rule.words_of(stage); ++w) {
        const std::uint32_t at = word_at(thread, e ^ static_cast<std::uint32_t>(w));
        tile[at] = rule.word(values[i], w, stage);
        if constexpr (Trace::on) {
          trace.access(block, numbers().write(stage, item * words + static_cast<std::uint32_t>(w)), thread.index,
                       at * static_cast<std::uint32_t>(sizeof(Word)), thread.at.y << mapping.n | e);
        }
      }
    }
  }

  template <class Tile>
  WARPLOOM_HD Value get(std::uint64_t block, const Thread& thread, Tile& tile, int stage, std::uint32_t e,
                        [[maybe_unused]] int instruction) const {
    Word all[words];
    for (int w = 0; w < words; ++w) {
      if (w >= rule.words_of(stage)) {
        all[w] = all[0];
        continue;
      }
      const std::uint32_t at = word_at(thread, e ^ static_cast<std::uint32_t>(w));
      all[w] = tile[at];
      if constexpr (Trace::on) {
        trace.access(block, numbers().read(stage, static_cast<std::uint32_t>(instruction * words + w)), thread.index,
                     at * static_cast<std::uint32_t>(sizeof(Word)), thread.at.y << mapping.n | e);
      }
    }
    return rule.join(all, stage);
  }

  /// Operands that are in the same warp: of every register of their threads, whoever wants it takes it.
  template <class Group, class Own, class From>
  WARPLOOM_HD void shuffle(Group& group, Own& own, From& foreign, int stage) const {
    typename Group::template PerLane<Value> sent, received;
    typename Group::template PerLane<unsigned> lanes;
    const std::uint32_t items = 1u << mapping.p;
    for (std::uint32_t item = 0; item < items; ++item)
      for (int k = 0; k < operands; ++k)
        for (std::uint32_t from = 0; from < items; ++from) {
          group.each([&](const Thread& thread) {
            const NetworkPlace at = source(thread, stage, item, k);
            lanes[thread] = wanted(thread, at) && at.item == from ? (thread.index - thread.at.x + at.thread) % warp_size
                                                                  : thread.index % warp_size;
            sent[thread] = picked(own[thread].v, from);
          });
          group.shuffle(sent, lanes, received);
          group.each([&](const Thread& thread) {
            const NetworkPlace at = source(thread, stage, item, k);
            if (wanted(thread, at) && at.item == from)
              foreign[thread].v[item * operands + static_cast<std::uint32_t>(k)] = received[thread];
          });
        }
  }
  /// Where operand k of what a thread makes in a register is; its own thread: nobody fetches anything.
  WARPLOOM_HD NetworkPlace source(const Thread& thread, int stage, std::uint32_t item, int k) const {
    const std::uint32_t e = thread.at.x << mapping.p | item;
    if (!rule.network.makes(stage, e)) return {thread.at.x, item};
    const std::uint32_t other = rule.network.partner(stage, e, k);
    return other == no_element ? NetworkPlace{thread.at.x, item} : rule.network.place(stage - 1, other);
  }
  WARPLOOM_HD static bool wanted(const Thread& thread, const NetworkPlace& at) {
    return at.thread != thread.at.x && near(thread, at.thread);
  }
};

/// Stages `first` to `last` with nothing shared, of which only the first has operands of other threads: from one array
/// of values to the other.
template <class Rule, int most>
struct StayingLaunch {
  using Value = typename Rule::Value;
  static constexpr int operands = Rule::Network::operands;

  Rule rule;
  int p;
  std::uint64_t batch;
  int first, last;
  const Value* before;  ///< (batch, N); null: as loaded
  Value* after;         ///< null: it is the last launch

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int n = rule.network.n;
    each_item(group, batch << (n - p), [&](std::uint64_t i) {
      run(i >> (n - p), static_cast<std::uint32_t>(i & ((std::uint64_t{1} << (n - p)) - 1)));
    });
  }

 private:
  WARPLOOM_HD Value value(std::uint64_t problem, std::uint32_t e) const {
    return before ? before[(problem << rule.network.n) + e] : rule.load(problem, e);
  }
  WARPLOOM_HD void run(std::uint64_t problem, std::uint32_t x) const {
    const std::uint32_t items = 1u << p;
    Value own[most] = {}, next[most];
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i)
      if (i < static_cast<int>(items)) own[i] = value(problem, x << p | static_cast<std::uint32_t>(i));
    for (int stage = first; stage <= last; ++stage) {
      ZeroPivot zero;
      WARPLOOM_UNROLL
      for (int i = 0; i < most; ++i) {
        const auto item = static_cast<std::uint32_t>(i);
        const std::uint32_t e = x << p | item;
        next[i] = own[i];
        if (item >= items || !rule.network.makes(stage, e)) continue;
        Value from[operands]{};
        bool there[operands];
        for (int k = 0; k < operands; ++k) {
          const std::uint32_t other = rule.network.partner(stage, e, k);
          there[k] = other != no_element;
          if (!there[k]) continue;
          from[k] = other >> p == x ? picked(own, other & (items - 1)) : value(problem, other);
        }
        next[i] = rule.node(stage, e, from, there, zero);
      }
      WARPLOOM_UNROLL
      for (int i = 0; i < most; ++i) own[i] = next[i];
      note_zero(rule.singular ? rule.singular + problem : nullptr, stage, zero);
    }
    ZeroPivot zero;
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i) {
      const std::uint32_t e = x << p | static_cast<std::uint32_t>(i);
      if (i >= static_cast<int>(items)) continue;
      if (after)
        after[(problem << rule.network.n) + e] = own[i];
      else
        rule.store(problem, e, own[i], zero);
    }
    if (!after) note_zero(rule.singular ? rule.singular + problem : nullptr, rule.network.stages() + 1, zero);
  }
};

}  // namespace warploom
