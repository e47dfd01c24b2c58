#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/irregular/hash/table.h"

// What all tables share: the kernels that ask, over the View of a strategy. A View is what kernels see of a table:
//   std::uint64_t find(std::uint32_t key, Visit visit) const     the answer; calls visit(place) for each probe
//   std::uint64_t word(std::uint64_t slot) const                 what stands in a slot, or empty_word
//   unsigned kind(std::uint64_t slot, std::uint64_t word) const  which table or function it stands there by
namespace warploom {

template <class View>
struct LookUp {
  View view;
  const std::uint32_t* queries;
  std::uint64_t* answers;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    answers[i] = view.find(queries[i], [](std::uint64_t) {});
  }
};

template <class View>
struct CountProbes {
  View view;
  const std::uint32_t* queries;
  std::uint32_t* probes;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    std::uint32_t count = 0;
    const std::uint64_t answer = view.find(queries[i], [&](std::uint64_t) { ++count; });
    probes[i] = count | (answer != absent_answer ? found_bit : 0);
  }
};

template <class View>
struct CountCosts {
  View view;
  std::uint32_t* costs;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const std::uint64_t word = view.word(i);
    std::uint32_t count = 0;
    if (word != empty_word) {
      view.find(word_key(word), [&](std::uint64_t) { ++count; });
      count |= view.kind(i, word) << cost_bits;
    }
    costs[i] = count;
  }
};

/// Launched with one thread.
template <class View>
struct WalkTable {
  View view;
  std::uint32_t key;
  HashWalk* walk;
  std::uint64_t slot;
  std::uint64_t* at;
  WARPLOOM_HD void operator()(std::uint64_t) const {
    std::uint32_t count = 0;
    walk->answer = view.find(key, [&](std::uint64_t place) {
      if (count < HashWalk::most) walk->places[count] = static_cast<std::uint32_t>(place);
      ++count;
    });
    walk->probes = count;
    if (slot != empty_word) *at = view.word(slot);
  }
};

/// The table of a strategy: Strategy::View, and of its own what it builds by.
template <class Strategy>
class TableBy final : public HashTable {
 public:
  TableBy(Queue& queue, const HashShape& shape) : strategy_(queue, shape) {}
  void build(Queue& queue, const std::uint32_t* keys, Scratch& scratch) override {
    strategy_.build(queue, keys, scratch);
  }
  void look_up(Queue& queue, const std::uint32_t* queries, std::uint64_t count, std::uint64_t* answers) const override {
    launch("hash.lookup", queue, row_shape(count), EachItem<LookUp<View>>{{strategy_.view(), queries, answers}, count},
           12 * count);
  }
  void count_probes(Queue& queue, const std::uint32_t* queries, std::uint64_t count,
                    std::uint32_t* probes) const override {
    launch_items("hash.probes", queue, count, CountProbes<View>{strategy_.view(), queries, probes});
  }
  void count_costs(Queue& queue, std::uint32_t* costs) const override {
    launch_items("hash.probes", queue, strategy_.slot_count(), CountCosts<View>{strategy_.view(), costs});
  }
  void look(Queue& queue, std::uint32_t key, HashWalk* walk, std::uint64_t slot, std::uint64_t* word) const override {
    launch_one("hash.walk", queue, WalkTable<View>{strategy_.view(), key, walk, slot, word});
  }
  HashFacts facts(Queue& queue) const override { return strategy_.facts(queue); }
  std::vector<DumpArray> dumps(Queue& queue) const override { return strategy_.dumps(queue); }
  Buckets buckets(Queue& queue) const override {
    if constexpr (requires { strategy_.buckets(queue); })
      return strategy_.buckets(queue);
    else
      return {};
  }
  std::vector<std::uint64_t> words(Queue& queue, std::uint64_t first, std::uint64_t count) const override {
    if constexpr (requires { strategy_.words(queue, first, count); })
      return strategy_.words(queue, first, count);
    else
      return {};
  }
  std::uint64_t bytes() const override { return strategy_.memory(); }

 private:
  using View = typename Strategy::View;
  Strategy strategy_;
};

/// Sums over the threads of builds, of how often they looked or wrote.
class ProbeSum {
 public:
  explicit ProbeSum(Queue& queue) : words_(queue.backend(), SumSlots::slots * SumSlots::words_apart) {}
  SumSlots start(Queue& queue) {
    words_.zero(queue);
    return {words_.data()};
  }
  /// Waits for it.
  double over(Queue& queue, std::uint64_t pairs) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words_.download(queue)) sum += word;
    return static_cast<double>(sum) / static_cast<double>(pairs);
  }
  std::uint64_t bytes() const { return words_.bytes(); }

 private:
  Buffer<std::uint64_t> words_;
};

/// Puts the pair of each key into a table, a thread a pair; `Insert`: unsigned operator()(key number) const, the
/// probes.
template <class Insert>
struct InsertPairs {
  Insert insert;
  std::uint64_t count;
  SumSlots sum;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size();
    sum.fold(group, [&](auto& part) {
      group.each([&](const Thread& thread) {
        if (first + thread.index < count) part[thread] = insert(first + thread.index);
      });
    });
  }
};

/// An array for a dump.
template <class Value>
DumpArray hash_dump(const char* name, const char* numpy, const char* type, const std::vector<Value>& values,
                    const char* meaning) {
  check_dump(static_cast<double>(values.size() * sizeof(Value)));
  return {name, numpy, type, {values.size()}, array_bytes(values), meaning};
}

}  // namespace warploom
