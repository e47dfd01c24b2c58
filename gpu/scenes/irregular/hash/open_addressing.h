#pragma once
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/ordered_atomic.h"
#include "gpu/scenes/irregular/hash/probing.h"

// Open addressing: a pair lies at its home slot, or so many steps behind it. Source: [knuth1998searching].
namespace warploom {

template <bool doubled>
struct OpenView {
  const std::uint64_t* table;
  HashFunction home, stride;
  std::uint32_t slots;

  /// How far apart the places of a key are.
  WARPLOOM_HD std::uint32_t step(std::uint32_t key) const {
    if constexpr (doubled)
      return 1 + stride(key, slots - 1);
    else
      return 1;
  }
  WARPLOOM_HD std::uint32_t after(std::uint32_t place, std::uint32_t step) const {
    // The sum may pass 2^32.
    return place >= slots - step ? place - (slots - step) : place + step;
  }
  template <class Visit>
  WARPLOOM_HD std::uint64_t find(std::uint32_t key, Visit&& visit) const {
    const std::uint32_t by = step(key);
    for (std::uint32_t place = home(key, slots);; place = after(place, by)) {
      visit(place);
      const std::uint64_t word = table[place];
      if (word == empty_word) return absent_answer;
      if (word_key(word) == key) return word_value(word);
    }
  }
  WARPLOOM_HD std::uint64_t word(std::uint64_t slot) const { return table[slot]; }
  WARPLOOM_HD unsigned kind(std::uint64_t, std::uint64_t) const { return 0; }
};

template <bool doubled>
struct InsertOpen {
  OpenView<doubled> view;
  std::uint64_t* table;
  const std::uint32_t* keys;
  std::uint64_t values;

  WARPLOOM_HD unsigned operator()(std::uint64_t i) const {
    const std::uint32_t key = keys[i], by = view.step(key);
    const std::uint64_t pair = pair_word(key, values);
    unsigned probes = 0;
    for (std::uint32_t place = view.home(key, view.slots);; place = view.after(place, by)) {
      ++probes;
      std::uint64_t stood = relaxed_load(table + place);
      if (stood == empty_word) stood = compare_and_swap(table + place, empty_word, pair);
      if (stood == empty_word || word_key(stood) == key) return probes;
    }
  }
};

template <bool doubled>
class OpenAddressing {
 public:
  using View = OpenView<doubled>;
  static std::uint64_t slots(const HashShape& shape) { return prime_from(shape.wanted_slots()); }
  static std::uint64_t bytes(const HashShape& shape) { return 8 * slots(shape); }
  static std::uint64_t scratch(const HashShape&) { return 0; }

  OpenAddressing(Queue& queue, const HashShape& shape)
      : shape_(checked(shape)), table_(queue.backend(), slots(shape)), probes_(queue) {}

  View view() const {
    const HashFamily family = shape_.family();
    return {table_.data(), family.at(0, 0), family.at(1, 0), static_cast<std::uint32_t>(table_.size())};
  }
  void build(Queue& queue, const std::uint32_t* keys, Scratch&) {
    TimedSpan span(queue, "hash.insert", table_.bytes() + 12 * shape_.keys);
    fill_with_ones(queue, table_.data(), table_.bytes());
    launch("hash.insert", queue, row_shape(shape_.keys),
           InsertPairs<InsertOpen<doubled>>{
               {view(), table_.data(), keys, shape_.values()}, shape_.keys, probes_.start(queue)});
    span.finish();
  }
  std::uint64_t slot_count() const { return table_.size(); }
  HashFacts facts(Queue& queue) const {
    return {.slots = table_.size(), .bytes = table_.bytes(), .probes_insert = probes_.over(queue, shape_.keys)};
  }
  std::vector<DumpArray> dumps(Queue& queue) const {
    return {hash_dump("table", "<u8", "uint64", table_.download(queue), "the word of each slot")};
  }
  std::uint64_t memory() const { return table_.bytes() + probes_.bytes(); }

 private:
  /// Throws UsageError where keys lie in one run that each of them walks along: on a device nothing could stop that.
  static const HashShape& checked(const HashShape& shape) {
    if (!doubled && shape.published && shape.keys > published_prime)
      throw UsageError("linear cannot be built: with hash=published " + grouped(shape.keys) +
                       " keys begin in at most " + grouped(published_prime) +
                       " slots, and lie in one run; set hash=mixed, at most as many keys, or choose another table");
    return shape;
  }
  HashShape shape_;
  Buffer<std::uint64_t> table_;
  ProbeSum probes_;
};

class LinearProbing : public OpenAddressing<false> {
 public:
  using OpenAddressing<false>::OpenAddressing;
  static HashStrategy about() {
    return {.name = "linear",
            .title = "Linear probing",
            .description = "the home slot, then the next one: long runs grow longer",
            .citation = "knuth1998searching",
            .kernels = {"hash.insert"}};
  }
};
class DoubleHashing : public OpenAddressing<true> {
 public:
  using OpenAddressing<true>::OpenAddressing;
  static HashStrategy about() {
    return {.name = "double",
            .title = "Double hashing",
            .description = "the home slot, then on by a step that is the key's own",
            .citation = "knuth1998searching",
            .kernels = {"hash.insert"}};
  }
};

}  // namespace warploom
