#pragma once
#include "gpu/core/unroll.h"
#include "gpu/scenes/irregular/hash/probing.h"
#include "gpu/scenes/irregular/hash/refusals.h"
#include "gpu/scenes/irregular/hash/two_level_shape.h"

// Buckets of at most 512 pairs, each a cuckoo hash of three small tables that a block builds in shared memory. Source:
// [alcantara2009hashing]; of the writers of a slot the largest key wins, so that the table is a function of its keys.
namespace warploom {

struct TwoLevelView {
  const std::uint64_t* table;
  const std::uint8_t* attempts;   ///< of each bucket
  const HashFunction* functions;  ///< (attempts, 3)
  HashFunction home;
  std::uint32_t buckets;

  template <class Visit>
  WARPLOOM_HD std::uint64_t find(std::uint32_t key, Visit&& visit) const {
    using S = TwoLevelShape;
    const std::uint32_t bucket = home(key, buckets);
    const HashFunction* const own = functions + std::size_t{attempts[bucket]} * S::tables;
    for (unsigned j = 0; j < S::tables; ++j) {
      const std::uint64_t slot =
          std::uint64_t{bucket} * S::slots + std::uint64_t{j} * S::table_slots + own[j](key, S::table_slots);
      visit(slot);
      const std::uint64_t word = table[slot];
      // No key passes a table without writing to it, and a slot that was written to is never empty again.
      if (word == empty_word) return absent_answer;
      if (word_key(word) == key) return word_value(word);
    }
    return absent_answer;
  }
  WARPLOOM_HD std::uint64_t word(std::uint64_t slot) const { return table[slot]; }
  WARPLOOM_HD unsigned kind(std::uint64_t slot, std::uint64_t) const {
    return static_cast<unsigned>(slot % TwoLevelShape::slots / TwoLevelShape::table_slots);
  }
};

/// Counts the keys of each bucket, and ranks each key in its own.
struct CountBuckets {
  const std::uint32_t* keys;
  HashFunction home;
  std::uint32_t buckets;
  std::uint32_t *counts, *ranks;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    ranks[i] = atomic_fetch_add(counts + home(keys[i], buckets), 1u);
  }
};
struct FullestBucket {
  const std::uint32_t* counts;
  std::uint32_t* most;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const { rare_atomic_maximum(most, counts[i]); }
};

struct ScatterPairs {
  const std::uint32_t* keys;
  HashFunction home;
  std::uint32_t buckets;
  const std::uint32_t *offsets, *ranks;
  std::uint64_t values;
  std::uint64_t* pairs;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    pairs[offsets[home(keys[i], buckets)] + ranks[i]] = pair_word(keys[i], values);
  }
};

/// Level 2: a block builds the three tables of a bucket. A word in shared memory is the number of the write phase, from
/// 1, above the key: a later phase beats who sat there, in a phase the largest key beats.
struct BuildBuckets {
  static constexpr unsigned exact_threads = TwoLevelShape::most, most_threads = exact_threads;
  static constexpr unsigned least_blocks = 4;  // most of a round is waiting: all threads of a multiprocessor are there
  static constexpr bool rows_of_warps = true;
  static constexpr std::uint64_t threads_per_chunk = std::uint64_t{4} * exact_threads;
  using S = TwoLevelShape;

  const std::uint64_t* pairs;
  const std::uint32_t *offsets, *counts;
  const HashFunction* functions;  ///< (attempts, 3)
  std::uint64_t* table;           ///< (buckets, 576)
  std::uint8_t* attempts;
  std::uint32_t* rounds;
  std::uint64_t* failed;  ///< the first bucket that cannot be built; all ones before
  SumSlots writes;

  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint64_t, S::slots> words;
    typename Group::template Tile<std::uint32_t, 2> out;  ///< whether a thread is out after this round; by turns
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    constexpr unsigned nowhere = ~0u;
    auto& words = shared.words;
    const std::uint64_t bucket = group.block_number(), first = offsets[bucket], count = counts[bucket];
    typename Group::template PerThread<std::uint64_t> pair;
    typename Group::template PerThread<unsigned> slot, tries;
    group.each(
        [&](const Thread& thread) { pair[thread] = thread.index < count ? pairs[first + thread.index] : empty_word; });
    // Threads see whether they were thrown out of the table that was written to last. No thread writes to it before the
    // next barrier.
    const auto see = [&](const Thread& thread, unsigned written) {
      if (slot[thread] / S::table_slots != written) return;
      const std::uint64_t word = words[slot[thread]];
      if (word_key(word) != word_key(pair[thread])) slot[thread] = nowhere;
    };
    unsigned attempt = 0, round = 0;
    bool built = false;
    for (; attempt < most_hash_attempts; ++attempt) {
      group.each([&](const Thread& thread) {
        for (unsigned i = thread.index; i < S::slots; i += exact_threads) words[i] = 0;
        slot[thread] = nowhere;
        tries[thread] = 0;
      });
      group.once([&] { shared.out[0] = shared.out[1] = 0; });
      HashFunction of_table[S::tables];
      WARPLOOM_UNROLL
      for (unsigned j = 0; j < S::tables; ++j) of_table[j] = functions[attempt * S::tables + j];
      group.barrier();
      for (round = 1; round <= S::most_rounds; ++round) {
        WARPLOOM_UNROLL
        for (unsigned j = 0; j < S::tables; ++j) {
          const HashFunction& function = of_table[j];
          const std::uint64_t phase = std::uint64_t{S::tables * (round - 1) + j + 1} << 32;
          group.each([&](const Thread& thread) {
            if (thread.index >= count) return;
            if (j > 0) see(thread, j - 1);
            if (slot[thread] != nowhere) return;
            const std::uint32_t key = word_key(pair[thread]);
            slot[thread] = j * S::table_slots + function(key, S::table_slots);
            group.tile_maximum(words, slot[thread], phase | key);
            ++tries[thread];
          });
          group.barrier();
        }
        group.each([&](const Thread& thread) {
          if (thread.index >= count) return;
          see(thread, S::tables - 1);
          if (slot[thread] == nowhere) group.tile_maximum(shared.out, round % 2, 1u);
        });
        group.once([&] { shared.out[(round + 1) % 2] = 0; });
        group.barrier();
        built = shared.out[round % 2] == 0;
        if (built) break;
      }
      if (built) break;
      group.barrier();  // all have seen their slots
    }
    group.each([&](const Thread& thread) {
      for (unsigned i = thread.index; i < S::slots; i += exact_threads) {
        const std::uint64_t word = words[i];
        if (word == 0 || !built) table[bucket * S::slots + i] = empty_word;
      }
      if (built && thread.index < count) table[bucket * S::slots + slot[thread]] = pair[thread];
    });
    group.once([&] {
      attempts[bucket] = static_cast<std::uint8_t>(built ? attempt : 0);
      rounds[bucket] = built ? round : 0;
      if (!built) atomic_minimum(failed, bucket);
    });
    const std::uint64_t all = group.sum(tries);
    group.once([&] { writes.add(bucket, all); });
  }
};

class TwoLevel {
 public:
  using View = TwoLevelView;
  using S = TwoLevelShape;
  static HashStrategy about() {
    return {.name = "two_level",
            .title = "Two-level cuckoo hashing",
            .description = "buckets of 409 pairs; a block fits each into three tables in shared memory",
            .citation = "alcantara2009hashing",
            .kernels = {"hash.count", "hash.scan", "hash.scatter", "hash.cuckoo"},
            .tables = {"first table", "second table", "third table"},
            .bucket_threads = S::most};
  }
  static std::uint64_t slots(const HashShape& shape) { return S::slots * S::buckets(shape.keys); }
  static std::uint64_t bytes(const HashShape& shape) { return 8 * slots(shape) + S::buckets(shape.keys); }
  static std::uint64_t scratch(const HashShape& shape) { return 12 * shape.keys + 16 * S::buckets(shape.keys); }

  TwoLevel(Queue& queue, const HashShape& shape);
  View view() const {
    return {table_.data(), attempts_.data(), functions_.data(), shape_.family().at(0, static_cast<unsigned>(restarts_)),
            static_cast<std::uint32_t>(buckets_)};
  }
  void build(Queue& queue, const std::uint32_t* keys, Scratch& scratch);
  std::uint64_t slot_count() const { return table_.size(); }
  HashFacts facts(Queue& queue) const;
  std::vector<DumpArray> dumps(Queue& queue) const;
  HashTable::Buckets buckets(Queue& queue) const;
  std::vector<std::uint64_t> words(Queue& queue, std::uint64_t first, std::uint64_t count) const {
    std::vector<std::uint64_t> all(count);
    download_bytes(queue, all.data(), table_.data() + first, count * sizeof all[0]);
    return all;
  }
  std::uint64_t memory() const {
    return table_.bytes() + attempts_.bytes() + counts_.bytes() + rounds_.bytes() + writes_.bytes();
  }

 private:
  HashShape shape_;
  std::uint64_t buckets_;
  Buffer<std::uint64_t> table_, failed_;
  Buffer<std::uint8_t> attempts_;
  Buffer<HashFunction> functions_;
  Buffer<std::uint32_t> counts_, rounds_, most_;
  ProbeSum writes_;
  Scratch scanning_;
  std::uint64_t restarts_ = 0;
};

inline TwoLevel::TwoLevel(Queue& queue, const HashShape& shape)
    : shape_(shape),
      buckets_(S::buckets(shape.keys)),
      table_(queue.backend(), slots(shape)),
      failed_(queue.backend(), 1),
      attempts_(queue.backend(), buckets_),
      counts_(queue.backend(), buckets_),
      rounds_(queue.backend(), buckets_),
      most_(queue.backend(), 1),
      writes_(queue),
      scanning_(queue.backend()) {
  functions_.assign(queue, level_two_functions(shape.family()));
}

inline void TwoLevel::build(Queue& queue, const std::uint32_t* keys, Scratch& scratch) {
  const std::uint64_t n = shape_.keys;
  // Pairs, ranks, offsets; what a scan needs lies elsewhere.
  auto* const pairs = static_cast<std::uint64_t*>(scratch.bytes(12 * n + 4 * (buckets_ + 1)));
  auto* const ranks = reinterpret_cast<std::uint32_t*>(pairs + n);
  std::uint32_t* const offsets = ranks + n;
  const auto buckets = static_cast<std::uint32_t>(buckets_);
  HashFunction home;
  {
    TimedSpan span(queue, "hash.count", 8 * n);
    for (restarts_ = 0;; ++restarts_) {
      if (restarts_ == most_hash_attempts) refuse_level_one(queue, keys, shape_, buckets);
      home = shape_.family().at(0, static_cast<unsigned>(restarts_));
      counts_.zero(queue);
      most_.zero(queue);
      launch_items("hash.count", queue, n, CountBuckets{keys, home, buckets, counts_.data(), ranks});
      launch_items("hash.count", queue, buckets_, FullestBucket{counts_.data(), most_.data()});
      if (most_.download(queue)[0] <= S::most) break;
    }
    span.finish();
  }
  exclusive_scan("hash.scan", queue, counts_.data(), buckets_, ~0u, offsets, scanning_);
  launch("hash.scatter", queue, row_shape(n),
         EachItem<ScatterPairs>{{keys, home, buckets, offsets, ranks, shape_.values(), pairs}, n}, 16 * n);
  {
    TimedSpan span(queue, "hash.cuckoo", 8 * n + table_.bytes());
    fill_with_ones(queue, failed_.data(), failed_.bytes());
    launch("hash.cuckoo", queue, {row_of_blocks(buckets_), {S::most, 1, 1}},
           BuildBuckets{pairs, offsets, counts_.data(), functions_.data(), table_.data(), attempts_.data(),
                        rounds_.data(), failed_.data(), writes_.start(queue)});
    span.finish();
  }
  const std::uint64_t failed = failed_.download(queue)[0];
  if (failed != empty_word) refuse_level_two(queue, keys, shape_, buckets, restarts_, failed);
}

inline HashFacts TwoLevel::facts(Queue& queue) const {
  HashFacts facts{.slots = table_.size(), .bytes = bytes(shape_), .restarts = restarts_};
  const auto all = buckets(queue);
  for (std::uint64_t b = 0; b < buckets_; ++b) {
    facts.rounds += all.rounds[b];
    facts.reseeded += all.reseeds[b] != 0;
    facts.most_in_bucket = std::max<std::uint64_t>(facts.most_in_bucket, all.counts[b]);
  }
  facts.rounds /= static_cast<double>(buckets_);
  facts.probes_insert = writes_.over(queue, shape_.keys);
  return facts;
}

inline HashTable::Buckets TwoLevel::buckets(Queue& queue) const {
  const auto attempts = attempts_.download(queue);
  return {counts_.download(queue), rounds_.download(queue), {attempts.begin(), attempts.end()}};
}

inline std::vector<DumpArray> TwoLevel::dumps(Queue& queue) const {
  const auto all = buckets(queue);
  return {hash_dump("table", "<u8", "uint64", table_.download(queue),
                    "the word of each slot: a bucket is three tables of 192, one after another"),
          hash_dump("bucket_counts", "<u4", "uint32", all.counts, "pairs of each bucket"),
          hash_dump("rounds", "<u4", "uint32", all.rounds, "rounds until each bucket was built"),
          hash_dump("reseeds", "<u4", "uint32", all.reseeds, "attempts of each bucket before the one that built it")};
}

}  // namespace warploom
