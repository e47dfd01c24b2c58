#pragma once
#include "gpu/core/group.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/trace.h"
#include "gpu/scenes/butterfly/tuned/spread.h"
#include "gpu/scenes/butterfly/tuned/words.h"

// How blocks bring what they have in registers from a layout of their plan to the next. `Tuned`: a type that holds a
// plan.
namespace warploom {

/// What the number of a register adds to an element's number, or to a word's: constants, as loops over registers are
/// unrolled.
template <int items>
struct RegisterParts {
  std::uint32_t of[items];
};
template <int items>
WARPLOOM_HD constexpr RegisterParts<items> parts_of(const Digits& registers) {
  RegisterParts<items> parts{};
  for (int i = 0; i < items; ++i) parts.of[i] = placed(registers, static_cast<std::uint32_t>(i));
  return parts;
}
template <int items>
WARPLOOM_HD constexpr RegisterParts<items> word_parts_of(const Digits& registers, const Words& words) {
  auto parts = parts_of<items>(composed(registers, words.order));
  for (auto& one : parts.of) one = words.padded(one);
  return parts;
}

/// Of a block: what a register of a thread holds in a step.
template <class Tuned, int step>
WARPLOOM_HD std::uint32_t element_in_step(const Thread& thread, int item) {
  constexpr Digits of_thread = Tuned::plan.step[step].at.thread;
  constexpr auto parts = parts_of<1 << Tuned::plan.p>(Tuned::plan.step[step].at.registers);
  return spread<of_thread>(thread.index) | parts.of[item];
}

/// Of the 2^tile elements from one on those that there are: the last block may be left with fewer.
WARPLOOM_HD constexpr std::uint32_t elements_there(std::uint64_t all, std::uint64_t first, int tile) {
  const std::uint64_t left = all - first;
  return left >> tile ? 1u << tile : static_cast<std::uint32_t>(left);
}

/// Each thread's `to` becomes what of(thread) is in lane from(thread) of its warp, numbers of lanes modulo 32.
template <class Group, class Value, class Of, class From>
WARPLOOM_HD void shuffle_lanes(Group& group, Value& to, Of&& of, From&& from) {
  Value sent;
  typename Group::template PerThread<unsigned> lanes;
  group.each([&](const Thread& thread) {
    sent[thread] = of(thread);
    lanes[thread] = from(thread) % warp_size;
  });
  group.shuffle(sent, lanes, to);
}

/// Before the writes of an exchange: what was read of the one before may be overwritten.
template <bool in_warp, class Group>
WARPLOOM_HD void before_exchange(Group& group, int before) {
  if (before == 2 || (before == 1 && !in_warp))
    group.barrier();
  else if (before == 1)
    group.warp_barrier();
}

/// The exchange before a step, through `tile`; a value goes as `words` of it, each set of them behind the other.
/// get(thread, register, word); set(thread, register, word, what is there now). Told before `stage`, by numbers for
/// `numbered` words of a value.
template <class Tuned, int step, int words = 1, int numbered = words, class Group, class Tile, class Trace, class Get,
          class Set>
WARPLOOM_HD void exchange(Group& group, Tile& tile, const Trace& trace, int stage, Get&& get, Set&& set) {
  constexpr int items = 1 << Tuned::plan.p;
  constexpr bool in_warp = Tuned::plan.step[step].into.in_warp;
  constexpr Words order = Tuned::plan.step[step].into.words;
  constexpr Digits writer = composed(exchanging_thread(Tuned::plan.step[step].into.from, in_warp), order.order),
                   reader = composed(exchanging_thread(Tuned::plan.step[step].into.to, in_warp), order.order);
  constexpr auto writes = word_parts_of<items>(Tuned::plan.step[step].into.from.registers, order),
                 reads = word_parts_of<items>(Tuned::plan.step[step].into.to.registers, order);
  constexpr std::uint32_t of_warp = warp_words(Tuned::plan), of_set = shared_words(Tuned::plan),
                          bytes = Tuned::word_bytes;
  constexpr AccessNumbers numbers{items * numbered, items * numbered};
  const auto base = [&](const Thread& thread, std::uint32_t w) {
    return order.padded(w) + (in_warp ? thread.index / warp_size * of_warp : 0);
  };
  const auto number = [&](const Thread& thread) { return in_warp ? thread.index % warp_size : thread.index; };
  group.each([&](const Thread& thread) {
    const std::uint32_t at = base(thread, spread<writer>(number(thread)));
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) WARPLOOM_UNROLL
    for (int w = 0; w < words; ++w) {
      const std::uint32_t word = at + writes.of[i] + static_cast<std::uint32_t>(w) * of_set;
      tile[word] = get(thread, i, w);
      trace.access(group.block_number(), numbers.write(stage, static_cast<std::uint32_t>(i * numbered + w)),
                   thread.index, word * bytes, element_in_step<Tuned, step - 1>(thread, i));
    }
  });
  if constexpr (in_warp)
    group.warp_barrier();
  else
    group.barrier();
  group.each([&](const Thread& thread) {
    const std::uint32_t at = base(thread, spread<reader>(number(thread)));
    WARPLOOM_UNROLL
    for (int i = 0; i < items; ++i) WARPLOOM_UNROLL
    for (int w = 0; w < words; ++w) {
      const std::uint32_t word = at + reads.of[i] + static_cast<std::uint32_t>(w) * of_set;
      set(thread, i, w, tile[word]);
      trace.access(group.block_number(), numbers.read(stage, static_cast<std::uint32_t>(i * numbered + w)),
                   thread.index, word * bytes, element_in_step<Tuned, step>(thread, i));
    }
  });
}

}  // namespace warploom
