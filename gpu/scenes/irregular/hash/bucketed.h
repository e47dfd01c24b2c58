#pragma once
#include "gpu/core/ordered_atomic.h"
#include "gpu/scenes/irregular/hash/probing.h"
#include "gpu/scenes/irregular/hash/refusals.h"
#include "gpu/scenes/irregular/streams.h"

// Cuckoo hashing into buckets of a few slots, a thread a pair. Source: [awad2023tables].
namespace warploom {

/// `width`: slots of a bucket.
template <unsigned width>
struct BucketedView {
  const std::uint64_t* table;
  HashFunction functions[3];
  std::uint32_t buckets;

  template <class Visit>
  WARPLOOM_HD std::uint64_t find(std::uint32_t key, Visit&& visit) const {
    for (const HashFunction& function : functions) {
      const std::uint64_t first = std::uint64_t{function(key, buckets)} * width;
      visit(first);
      for (unsigned i = 0; i < width; ++i) {
        const std::uint64_t word = table[first + i];
        if (word == empty_word) return absent_answer;
        if (word_key(word) == key) return word_value(word);
      }
    }
    return absent_answer;
  }
  WARPLOOM_HD std::uint64_t word(std::uint64_t slot) const { return table[slot]; }
  /// The first function that leads a key to a bucket it stands in.
  WARPLOOM_HD unsigned function_of(std::uint32_t key, std::uint32_t bucket) const {
    unsigned f = 0;
    while (f < 2 && functions[f](key, buckets) != bucket) ++f;
    return f;
  }
  WARPLOOM_HD unsigned kind(std::uint64_t slot, std::uint64_t word) const {
    return function_of(word_key(word), static_cast<std::uint32_t>(slot / width));
  }
};

template <unsigned width>
struct InsertBucketed {
  static constexpr unsigned most_evictions = 2000;
  BucketedView<width> view;
  std::uint64_t* table;
  const std::uint32_t* keys;
  std::uint64_t values, draws;
  std::uint32_t* failed;

  WARPLOOM_HD unsigned operator()(std::uint64_t i) const {
    if (relaxed_load(failed)) return 0;
    std::uint64_t carried = pair_word(keys[i], values);
    unsigned f = 0, probes = 0;
    for (unsigned evictions = 0;; ++evictions) {
      const std::uint32_t key = word_key(carried), bucket = view.functions[f](key, view.buckets);
      std::uint64_t* const slots = table + std::uint64_t{bucket} * width;
      ++probes;
      for (unsigned s = 0; s < width; ++s) {
        std::uint64_t stood = relaxed_load(slots + s);
        if (stood == empty_word) stood = compare_and_swap(slots + s, empty_word, carried);
        if (stood == empty_word || word_key(stood) == key) return probes;
      }
      if (evictions == most_evictions) {
        relaxed_store(failed, 1u);
        return probes;
      }
      // The bucket stays full. The pair that is thrown out goes on by the function after the one that it stood by.
      carried = exchange(slots + below(key_hash(draws, carried + evictions), width), carried);
      f = (view.function_of(word_key(carried), bucket) + 1) % 3;
    }
  }
};

/// With a number of slots in each bucket that is compiled.
template <unsigned width>
class BucketedBy {
 public:
  using View = BucketedView<width>;
  BucketedBy(Queue& queue, const HashShape& shape)
      : shape_(shape), table_(queue.backend(), slots(shape)), failed_(queue.backend(), 1), probes_(queue) {}

  static std::uint64_t buckets_of(const HashShape& shape) {
    HashShape of_buckets = shape;
    of_buckets.load *= width;
    return of_buckets.wanted_slots();
  }
  static std::uint64_t slots(const HashShape& shape) { return width * buckets_of(shape); }

  View view() const {
    const HashFamily family = shape_.family();
    const auto attempt = static_cast<unsigned>(restarts_);
    return {table_.data(),
            {family.at(0, attempt), family.at(1, attempt), family.at(2, attempt)},
            static_cast<std::uint32_t>(table_.size() / width)};
  }
  void build(Queue& queue, const std::uint32_t* keys, Scratch&) {
    TimedSpan span(queue, "hash.insert", table_.bytes() + 12 * shape_.keys);
    for (restarts_ = 0;; ++restarts_) {
      if (restarts_ == most_hash_attempts) refuse_bucketed(queue, keys, shape_, width, buckets_of(shape_));
      fill_with_ones(queue, table_.data(), table_.bytes());
      failed_.zero(queue);
      launch("hash.insert", queue, row_shape(shape_.keys),
             InsertPairs<InsertBucketed<width>>{
                 {view(), table_.data(), keys, shape_.values(), key_hash(shape_.seed, restarts_), failed_.data()},
                 shape_.keys,
                 probes_.start(queue)});
      if (!failed_.download(queue)[0]) break;
    }
    span.finish();
  }
  std::uint64_t slot_count() const { return table_.size(); }
  HashFacts facts(Queue& queue) const {
    return {.slots = table_.size(),
            .bytes = table_.bytes(),
            .restarts = restarts_,
            .probes_insert = probes_.over(queue, shape_.keys)};
  }
  std::vector<DumpArray> dumps(Queue& queue) const {
    return {hash_dump("table", "<u8", "uint64", table_.download(queue), "the word of each slot, bucket by bucket")};
  }
  std::uint64_t memory() const { return table_.bytes() + probes_.bytes(); }

 private:
  HashShape shape_;
  Buffer<std::uint64_t> table_;
  Buffer<std::uint32_t> failed_;
  ProbeSum probes_;
  std::uint64_t restarts_ = 0;
};

class Bucketed {
 public:
  static HashStrategy about() {
    return {.name = "bucketed",
            .title = "Bucketed cuckoo hashing",
            .description = "three buckets for each key; in full ones a pair throws another out",
            .citation = "awad2023tables",
            .kernels = {"hash.insert"},
            .tables = {"first bucket", "second bucket", "third bucket"}};
  }
  static std::uint64_t slots(const HashShape& shape) {
    std::uint64_t all = 0;
    with_width(shape, [&]<unsigned width>() { all = BucketedBy<width>::slots(shape); });
    return all;
  }
  static std::uint64_t bytes(const HashShape& shape) { return 8 * slots(shape); }
  static std::uint64_t scratch(const HashShape&) { return 0; }
  static std::unique_ptr<HashTable> make(Queue& queue, const HashShape& shape) {
    std::unique_ptr<HashTable> table;
    with_width(shape, [&]<unsigned width>() { table = std::make_unique<TableBy<BucketedBy<width>>>(queue, shape); });
    return table;
  }

 private:
  template <class Body>
  static void with_width(const HashShape& shape, Body&& body) {
    if (shape.bucket == 4) return body.template operator()<4>();
    if (shape.bucket == 16) return body.template operator()<16>();
    body.template operator()<8>();
  }
};

}  // namespace warploom
