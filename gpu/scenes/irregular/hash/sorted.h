#pragma once
#include "gpu/core/sort.h"
#include "gpu/scenes/irregular/hash/probing.h"

// The alternative to hashing: pairs in the order of their keys, found by halving. Source: [alcantara2009hashing].
namespace warploom {

struct SortedView {
  const std::uint64_t* table;
  std::uint64_t count;

  template <class Visit>
  WARPLOOM_HD std::uint64_t find(std::uint32_t key, Visit&& visit) const {
    std::uint64_t first = 0;
    for (std::uint64_t n = count; n > 1;) {
      const std::uint64_t half = n / 2;
      visit(first + half);
      if (word_key(table[first + half]) <= key) first += half;
      n -= half;
    }
    visit(first);
    const std::uint64_t word = table[first];
    return word_key(word) == key ? word_value(word) : absent_answer;
  }
  WARPLOOM_HD std::uint64_t word(std::uint64_t slot) const { return table[slot]; }
  WARPLOOM_HD unsigned kind(std::uint64_t, std::uint64_t) const { return 0; }
};

struct MakeHashPairs {
  const std::uint32_t* keys;
  std::uint64_t values;
  std::uint64_t* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const { to[i] = pair_word(keys[i], values); }
};

class SortedArray {
 public:
  using View = SortedView;
  static HashStrategy about() {
    return {.name = "sort",
            .title = "Sorted array",
            .description = "no table: a radix sort of the pairs, and halving for each query",
            .citation = "alcantara2009hashing",
            .kernels = {"hash.sort"}};
  }
  static std::uint64_t slots(const HashShape& shape) { return shape.keys; }
  static std::uint64_t bytes(const HashShape& shape) { return 8 * shape.keys; }
  static std::uint64_t scratch(const HashShape& shape) { return 9 * shape.keys; }

  SortedArray(Queue& queue, const HashShape& shape) : shape_(shape), table_(queue.backend(), shape.keys) {}
  View view() const { return {table_.data(), shape_.keys}; }
  void build(Queue& queue, const std::uint32_t* keys, Scratch& scratch) {
    TimedSpan span(queue, "hash.sort", 20 * shape_.keys);
    launch_items("hash.sort", queue, shape_.keys, MakeHashPairs{keys, shape_.values(), table_.data()});
    sort_words("hash.sort", queue, table_.data(), shape_.keys, 32, scratch);
    span.finish();
  }
  std::uint64_t slot_count() const { return table_.size(); }
  HashFacts facts(Queue&) const { return {.slots = table_.size(), .bytes = table_.bytes()}; }
  std::vector<DumpArray> dumps(Queue& queue) const {
    return {hash_dump("table", "<u8", "uint64", table_.download(queue), "words in the order of their keys")};
  }
  std::uint64_t memory() const { return table_.bytes(); }

 private:
  HashShape shape_;
  Buffer<std::uint64_t> table_;
};

}  // namespace warploom
