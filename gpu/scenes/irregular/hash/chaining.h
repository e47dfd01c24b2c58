#pragma once
#include "gpu/core/ordered_atomic.h"
#include "gpu/scenes/irregular/hash/probing.h"

// Separate chaining: each head begins a list of the pairs whose keys lead to it. Source: [knuth1998searching].
namespace warploom {

struct ChainView {
  static constexpr std::uint32_t none = ~0u;
  const std::uint32_t *heads, *next;
  const std::uint64_t* pairs;
  HashFunction home;
  std::uint32_t slots;

  template <class Visit>
  WARPLOOM_HD std::uint64_t find(std::uint32_t key, Visit&& visit) const {
    for (std::uint32_t node = heads[home(key, slots)]; node != none; node = next[node]) {
      visit(node);
      if (word_key(pairs[node]) == key) return word_value(pairs[node]);
    }
    return absent_answer;
  }
  /// The last pair of the chain behind a head: the one that costs most.
  WARPLOOM_HD std::uint64_t word(std::uint64_t slot) const {
    std::uint64_t last = empty_word;
    for (std::uint32_t node = heads[slot]; node != none; node = next[node]) last = pairs[node];
    return last;
  }
  WARPLOOM_HD unsigned kind(std::uint64_t, std::uint64_t) const { return 0; }
};

struct PushPairs {
  HashFunction home;
  std::uint32_t slots;
  std::uint32_t *heads, *next;
  std::uint64_t* pairs;
  const std::uint32_t* keys;
  std::uint64_t values;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    pairs[i] = pair_word(keys[i], values);
    next[i] = exchange(heads + home(keys[i], slots), static_cast<std::uint32_t>(i));
  }
};

class Chaining {
 public:
  using View = ChainView;
  static HashStrategy about() {
    return {.name = "chaining",
            .title = "Chaining",
            .description = "a list of pairs behind each head, pushed by an exchange",
            .citation = "knuth1998searching",
            .kernels = {"hash.insert"}};
  }
  static std::uint64_t slots(const HashShape& shape) { return shape.wanted_slots(); }
  static std::uint64_t bytes(const HashShape& shape) { return 4 * slots(shape) + 12 * shape.keys; }
  static std::uint64_t scratch(const HashShape&) { return 0; }

  Chaining(Queue& queue, const HashShape& shape)
      : shape_(shape),
        heads_(queue.backend(), slots(shape)),
        next_(queue.backend(), shape.keys),
        pairs_(queue.backend(), shape.keys) {}

  View view() const {
    return {heads_.data(), next_.data(), pairs_.data(), shape_.family().at(0, 0),
            static_cast<std::uint32_t>(heads_.size())};
  }
  void build(Queue& queue, const std::uint32_t* keys, Scratch&) {
    const View view = this->view();
    TimedSpan span(queue, "hash.insert", memory() + 4 * shape_.keys);
    fill_with_ones(queue, heads_.data(), heads_.bytes());
    launch_items("hash.insert", queue, shape_.keys,
                 PushPairs{view.home, view.slots, heads_.data(), next_.data(), pairs_.data(), keys, shape_.values()});
    span.finish();
  }
  std::uint64_t slot_count() const { return heads_.size(); }
  HashFacts facts(Queue&) const { return {.slots = heads_.size(), .bytes = memory(), .probes_insert = 1}; }
  std::vector<DumpArray> dumps(Queue& queue) const {
    return {
        hash_dump("heads", "<i4", "int32", heads_.download(queue), "the first element of keys of each chain, or -1"),
        hash_dump("next", "<i4", "int32", next_.download(queue), "the element behind each in its chain, or -1")};
  }
  std::uint64_t memory() const { return heads_.bytes() + next_.bytes() + pairs_.bytes(); }

 private:
  HashShape shape_;
  Buffer<std::uint32_t> heads_, next_;
  Buffer<std::uint64_t> pairs_;
};

}  // namespace warploom
