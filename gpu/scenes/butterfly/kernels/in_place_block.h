#pragma once
#include <type_traits>

#include "gpu/core/group.h"
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/in_place_parts.h"
#include "gpu/scenes/butterfly/kernels/trace.h"

// Algorithms whose elements stay where they were loaded, as a rule has them (rules/):
//
//   Network network; Value; Word; Step
//   static constexpr int operands, words           a value goes through shared memory in so many words
//   static constexpr int usual_p                   the kernel is compiled for so many registers, and for any number
//   load(problem, e), store(problem, e, value, zero)
//   words_of(stage)                                how many of them an operand of that stage needs
//   word(value, w), join(words)                    and back; the w-th word of element e lies where e ^ w would be
//   node(stage, e, operands, there, zero)          Value
//   step(value)                                    what a trace tells of it
//   singular                                       (batch) or null: as `note_zero` has it
// and, of a device's part of a row (devices/part_rule.h),
//   first_stage                                    that it runs
//   take_linked(problem, stage, e, operands)       puts those in place that came over the link
namespace warploom {

/// A block runs all stages of its problems. `most`: registers of values per thread; `exact`: they are 2^p, and every
/// loop over them is unrolled; else at least as many. Source: lobeiras2015bplg.
template <class Rule, int most, bool exact, bool shuffles, class Trace = NoTrace>
struct InPlaceBlock {
  static constexpr std::uint64_t threads_per_chunk = 1024;
  using Value = typename Rule::Value;
  using Word = typename Rule::Word;
  static constexpr int operands = Rule::Network::operands, words = Rule::words;
  /// What is known of shuffles beforehand, where a stage's fit a number.
  static constexpr bool knows_sources = exact && shuffles && most * operands <= 16;

  Rule rule;
  NetworkMapping mapping;
  std::uint64_t batch;
  StageSet crossing;  ///< stages with an operand through shared memory
  StageSet apart;     ///< of them those where no operand but the own element is in the thread that takes it
  Trace trace;
  std::conditional_t<knows_sources, ShuffleSources, NoShuffleSources> sources{};

  std::uint64_t dynamic_shared_bytes() const { return crossing.none() ? 0 : sizeof(Word) << mapping.s; }
  /// How a trace numbers accesses.
  WARPLOOM_HD AccessNumbers numbers() const { return {items() * words, items() * operands * words}; }

  struct Registers {
    Value v[most];
  };
  template <class Group>
  using Own = typename Group::template PerThread<Registers>;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    Own<Group> own;
    const std::uint64_t first_problem = group.block_number() << mapping.threads_y();
    load(group, own, first_problem);
    run(group, own, first_problem);
    group.each([&](const Thread& thread) {
      if (!live(thread, first_problem)) return;
      ZeroPivot zero;
      const std::uint64_t problem = first_problem + thread.at.y;
      each_of(thread, own[thread], [&](std::uint32_t e, const Value& value) { rule.store(problem, e, value, zero); });
      note_zero(rule.singular ? rule.singular + problem : nullptr, rule.network.stages() + 1, zero);
    });
  }

  // The parts of it, for blocks that do more with their problems.
  template <class Group>
  WARPLOOM_HD void load(Group& group, Own<Group>& own, std::uint64_t first_problem) const {
    group.each([&](const Thread& thread) {
      if (!live(thread, first_problem)) return;
      Registers all{};
      WARPLOOM_UNROLL
      for (int i = 0; i < most; ++i)
        if (has(i)) all.v[i] = rule.load(first_problem + thread.at.y, element(thread, i));
      own[thread] = all;
      tell(thread, 0, first_problem, own[thread].v);
    });
  }
  template <class Group>
  WARPLOOM_HD void run(Group& group, Own<Group>& own, std::uint64_t first_problem) const {
    struct Foreign {
      Value v[shuffles ? most * operands : 1];
    };
    typename Group::template PerThread<Foreign> foreign;
    auto tile = group.template dynamic_tile<Word>(crossing.none() ? 0 : 1u << mapping.s);
    bool written = false;
    for (int stage = first_stage(); stage <= rule.network.stages(); ++stage) {
      if constexpr (shuffles) shuffle(group, own, foreign, stage);
      const bool crosses = crossing.has(stage);
      if (crosses) {
        if (written) group.barrier();
        written = true;
        group.each([&](const Thread& thread) {
          if (live(thread, first_problem)) put(group.block_number(), thread, own[thread].v, tile, stage);
        });
        group.barrier();
      }
      group.each([&](const Thread& thread) {
        if (!live(thread, first_problem)) return;
        if (!shuffles && apart.has(stage))
          make<Reach::others>(group.block_number(), thread, first_problem, own[thread], foreign[thread], tile, stage);
        else if (shuffles || crosses)
          make<Reach::any>(group.block_number(), thread, first_problem, own[thread], foreign[thread], tile, stage);
        else
          make<Reach::own>(group.block_number(), thread, first_problem, own[thread], foreign[thread], tile, stage);
      });
    }
  }
  /// body(e, value): of every element that a thread has.
  template <class Body>
  WARPLOOM_HD void each_of(const Thread& thread, const Registers& own, Body&& body) const {
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i)
      if (has(i)) body(element(thread, i), own.v[i]);
  }
  /// Of the highest element that a thread has.
  WARPLOOM_HD Value last(const Registers& own) const { return picked(own.v, items() - 1); }

 private:
  static constexpr int exact_digits = most == 1 ? 0 : most == 2 ? 1 : most == 4 ? 2 : most == 8 ? 3 : 4;
  WARPLOOM_HD int first_stage() const {
    if constexpr (requires { rule.first_stage; })
      return rule.first_stage;
    else
      return 1;
  }
  WARPLOOM_HD int digits() const { return exact ? exact_digits : mapping.p; }
  WARPLOOM_HD std::uint32_t items() const { return 1u << digits(); }
  WARPLOOM_HD bool has(int item) const { return exact || static_cast<std::uint32_t>(item) < items(); }
  WARPLOOM_HD std::uint32_t element(const Thread& thread, int item) const {
    return thread.at.x << digits() | static_cast<std::uint32_t>(item);
  }
  /// As in_place_plan has it.
  WARPLOOM_HD NetworkPlace place(std::uint32_t e) const { return {e >> digits(), e & (items() - 1)}; }

  WARPLOOM_HD bool live(const Thread& thread, std::uint64_t first_problem) const {
    return first_problem + thread.at.y < batch;
  }
  /// Whose operands a stage takes: the thread's own; other threads', but for the element that is made; or either.
  enum class Reach { own, others, any };
  /// What the nodes of a stage make in the registers of a thread.
  template <Reach reach, class Foreign, class Tile>
  WARPLOOM_HD void make(std::uint64_t block, const Thread& thread, std::uint64_t first_problem, Registers& own,
                        [[maybe_unused]] const Foreign& foreign, [[maybe_unused]] Tile& tile, int stage) const {
    Registers next = own;
    ZeroPivot zero;
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i) {
      const std::uint32_t e = element(thread, i);
      if (!has(i) || !rule.network.makes(stage, e)) continue;
      Value from[operands]{};
      bool there[operands];
      if constexpr (reach == Reach::others && operands == 2) {
        // One of both is the own element: the other is fetched once, whichever it is.
        const std::uint32_t first = rule.network.partner(stage, e, 0), second = rule.network.partner(stage, e, 1);
        const bool is_first = first == e;
        const Value fetched_value =
            get(block, thread, tile, stage, is_first ? second : first, i * operands + (is_first ? 1 : 0));
        from[0] = is_first ? own.v[i] : fetched_value;
        from[1] = is_first ? fetched_value : own.v[i];
        there[0] = there[1] = true;
      } else {
        WARPLOOM_UNROLL
        for (int k = 0; k < operands; ++k) {
          const std::uint32_t other = rule.network.partner(stage, e, k);
          there[k] = other != no_element;
          if (!there[k]) continue;
          const NetworkPlace at = place(other);
          if (reach == Reach::others && other == e)
            from[k] = own.v[i];
          else if (reach == Reach::own || (reach == Reach::any && at.thread == thread.at.x))
            from[k] = picked(own.v, at.item);
          else if (shuffles && near(thread, at.thread))
            from[k] = foreign.v[shuffles ? i * operands + k : 0];
          else
            from[k] = get(block, thread, tile, stage, other, i * operands + k);
        }
      }
      if constexpr (requires { rule.first_stage; }) rule.take_linked(first_problem + thread.at.y, stage, e, from);
      next.v[i] = rule.node(stage, e, from, there, zero);
    }
    note_zero(rule.singular ? rule.singular + first_problem + thread.at.y : nullptr, stage, zero);
    own = next;
    tell(thread, stage, first_problem, own.v);
  }

  WARPLOOM_HD void tell([[maybe_unused]] const Thread& thread, [[maybe_unused]] int stage,
                        [[maybe_unused]] std::uint64_t first_problem,
                        [[maybe_unused]] const Value (&values)[most]) const {
    if constexpr (Trace::on) {
      for (int i = 0; i < static_cast<int>(items()); ++i)
        trace.step(stage, first_problem + thread.at.y, element(thread, i), rule.step(values[i]));
    }
  }
  /// In the warp of this thread, of the same problem?
  WARPLOOM_HD static bool near(const Thread& thread, std::uint32_t other) {
    return (thread.index - thread.at.x + other) / warp_size == thread.index / warp_size;
  }
  WARPLOOM_HD std::uint32_t word_at(const Thread& thread, std::uint32_t e) const {
    const NetworkPlace at = place(e);
    return (thread.index - thread.at.x + at.thread) | at.item << (mapping.s - digits());
  }
  /// Is it an operand of another thread, or, where what is near is shuffled, of another warp?
  WARPLOOM_HD bool fetched(const Thread& thread, int stage, std::uint32_t e) const {
    bool by_anyone = false;
    WARPLOOM_UNROLL
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t by = rule.network.consumer(stage, e, k);
      if (by == no_element) continue;
      if (apart.has(stage)) {
        by_anyone = true;
        continue;
      }
      const std::uint32_t who = place(by).thread;
      by_anyone |= who != thread.at.x && !(shuffles && near(thread, who));
    }
    return by_anyone;
  }

  template <class Tile>
  WARPLOOM_HD void put(std::uint64_t block, const Thread& thread, const Value (&values)[most], Tile& tile,
                       int stage) const {
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i) {
      const std::uint32_t e = element(thread, i);
      if (!has(i) || !fetched(thread, stage, e)) continue;
      for (int w = 0; w < rule.words_of(stage); ++w) {
        const std::uint32_t at = word_at(thread, e ^ static_cast<std::uint32_t>(w));
        tile[at] = rule.word(values[i], w, stage);
        trace.access(block, numbers().write(stage, static_cast<std::uint32_t>(i * words + w)), thread.index,
                     at * static_cast<std::uint32_t>(sizeof(Word)), thread.at.y << mapping.n | e);
      }
    }
  }

  template <class Tile>
  WARPLOOM_HD Value get(std::uint64_t block, const Thread& thread, Tile& tile, int stage, std::uint32_t e,
                        [[maybe_unused]] int instruction) const {
    Word all[words];
    WARPLOOM_UNROLL
    for (int w = 0; w < words; ++w) {
      if (w >= rule.words_of(stage)) {
        all[w] = all[0];
        continue;
      }
      const std::uint32_t at = word_at(thread, e ^ static_cast<std::uint32_t>(w));
      all[w] = read_whole<Word>(tile[at]);
      trace.access(block, numbers().read(stage, static_cast<std::uint32_t>(instruction * words + w)), thread.index,
                   at * static_cast<std::uint32_t>(sizeof(Word)), thread.at.y << mapping.n | e);
    }
    return rule.join(all, stage);
  }

  /// Operands that are in the same warp. Where it is known which register they are in, one shuffle an operand; else one
  /// for every register of their threads: whoever wants it takes it.
  template <class Group, class Registers_, class From>
  WARPLOOM_HD void shuffle(Group& group, Registers_& own, From& foreign, int stage) const {
    if constexpr (knows_sources) {
      WARPLOOM_UNROLL
      for (int which = 0; which < most * operands; ++which)
        if (const std::uint32_t from = sources.item(stage, which); from != ShuffleSources::none)
          send(group, own, foreign, stage, which / operands, which % operands, from);
    } else {
      for (int item = 0; item < static_cast<int>(items()); ++item)
        for (int k = 0; k < operands; ++k)
          for (std::uint32_t from = 0; from < items(); ++from) send(group, own, foreign, stage, item, k, from);
    }
  }
  template <class Group, class Registers_, class From>
  WARPLOOM_HD void send(Group& group, Registers_& own, From& foreign, int stage, int item, int k,
                        std::uint32_t from) const {
    typename Group::template PerThread<Value> sent, received;
    typename Group::template PerThread<unsigned> lanes;
    group.each([&](const Thread& thread) {
      const NetworkPlace at = source(thread, stage, item, k);
      lanes[thread] = wanted(thread, at) && at.item == from ? (thread.index - thread.at.x + at.thread) % warp_size
                                                            : thread.index % warp_size;
      sent[thread] = picked(own[thread].v, from);
    });
    group.shuffle(sent, lanes, received);
    group.each([&](const Thread& thread) {
      const NetworkPlace at = source(thread, stage, item, k);
      if (wanted(thread, at) && at.item == from) foreign[thread].v[item * operands + k] = received[thread];
    });
  }
  /// Where operand k of what a thread makes in a register is; its own thread: nothing is fetched.
  WARPLOOM_HD NetworkPlace source(const Thread& thread, int stage, int item, int k) const {
    const std::uint32_t e = element(thread, item);
    const NetworkPlace here{thread.at.x, static_cast<std::uint32_t>(item)};
    if (!rule.network.makes(stage, e)) return here;
    const std::uint32_t other = rule.network.partner(stage, e, k);
    return other == no_element ? here : place(other);
  }
  WARPLOOM_HD static bool wanted(const Thread& thread, const NetworkPlace& at) {
    return at.thread != thread.at.x && near(thread, at.thread);
  }
};

/// Stages `first` to `last` with nothing shared, of which only the first has operands of other threads: from one array
/// of values to the other.
template <class Rule, int most, bool exact>
struct InPlaceLaunch {
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
    const std::uint32_t items = exact ? most : 1u << p;
    Value own[most] = {}, next[most];
    WARPLOOM_UNROLL
    for (int i = 0; i < most; ++i)
      if (exact || i < static_cast<int>(items)) own[i] = value(problem, x << p | static_cast<std::uint32_t>(i));
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
        WARPLOOM_UNROLL
        for (int k = 0; k < operands; ++k) {
          const std::uint32_t other = rule.network.partner(stage, e, k);
          there[k] = other != no_element;
          if (!there[k]) continue;
          from[k] = other >> p == x ? picked(own, other & (items - 1)) : value(problem, other);
        }
        if constexpr (requires { rule.first_stage; }) rule.take_linked(problem, stage, e, from);
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
