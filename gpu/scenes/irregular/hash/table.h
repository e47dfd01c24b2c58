#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/scan.h"
#include "gpu/scenes/irregular/hash/hash.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// What a table is, once it is built.
struct HashFacts {
  std::uint64_t slots = 0, bytes = 0;
  std::uint64_t restarts = 0;        ///< attempts before the one that built
  std::uint64_t reseeded = 0;        ///< buckets that needed other functions
  double rounds = 0;                 ///< of a bucket, the mean
  std::uint64_t most_in_bucket = 0;  ///< pairs in the fullest bucket of level 1
  double probes_insert = 0;          ///< slots, or buckets of slots, that a pair was written to or looked at, the mean
};

/// The way of a key through a table.
struct HashWalk {
  static constexpr unsigned most = 256;
  std::uint64_t answer = absent_answer;
  std::uint32_t probes = 0;         ///< all of them
  std::uint32_t places[most] = {};  ///< the first: slots; of chaining elements of `keys`
};

/// Probes of a query, and in its top bit whether its key was found.
inline constexpr std::uint32_t found_bit = 1u << 31;
/// What a slot's key costs: probes below, and above which table or function it stands by.
inline constexpr unsigned cost_bits = 24;

/// A table of pairs in a backend's memory. The thread that steps builds it; while nothing does, any may ask, in a queue
/// of its own.
class HashTable {
 public:
  virtual ~HashTable() = default;
  HashTable& operator=(HashTable&&) = delete;

  /// From keys of the backend, as many as its shape says. Throws UsageError with the bucket, and what helps, where it
  /// cannot be built; Cancelled.
  virtual void build(Queue& queue, const std::uint32_t* keys, Scratch& scratch) = 0;
  virtual void look_up(Queue& queue, const std::uint32_t* queries, std::uint64_t count,
                       std::uint64_t* answers) const = 0;
  /// Probes of each query, with found_bit.
  virtual void count_probes(Queue& queue, const std::uint32_t* queries, std::uint64_t count,
                            std::uint32_t* probes) const = 0;
  /// What the key in each slot costs to find (see cost_bits); 0 where the slot is empty.
  virtual void count_costs(Queue& queue, std::uint32_t* costs) const = 0;
  /// `walk`, and where `slot` is not all ones the word that stands there: memory of the backend.
  virtual void look(Queue& queue, std::uint32_t key, HashWalk* walk, std::uint64_t slot, std::uint64_t* word) const = 0;
  /// Waits for what it asks of the backend.
  virtual HashFacts facts(Queue& queue) const = 0;
  virtual std::vector<DumpArray> dumps(Queue& queue) const = 0;
  /// Pairs, rounds, and attempts before the one that built, by bucket; empty unless it is two_level.
  struct Buckets {
    std::vector<std::uint32_t> counts, rounds, reseeds;
  };
  virtual Buckets buckets(Queue&) const { return {}; }
  /// Words of its slots, from one on; of two_level alone.
  virtual std::vector<std::uint64_t> words(Queue&, std::uint64_t /*first*/, std::uint64_t /*count*/) const {
    return {};
  }
  virtual std::uint64_t bytes() const = 0;  ///< of backend memory

 protected:
  HashTable() = default;
};

/// A strategy as lists and menus have it.
struct HashStrategy {
  const char *name, *title, *description, *citation;
  /// Kernels of its build, in order, without the first, hash.build.
  std::vector<const char*> kernels;
  std::vector<const char*> tables = {};  ///< what its keys may stand in, where there are several
  /// Threads a block of the last of them; 0: a thread a pair, in blocks of 256.
  std::uint32_t bucket_threads = 0;
  std::uint64_t (*slots)(const HashShape& shape) = nullptr;
  std::uint64_t (*bytes)(const HashShape& shape) = nullptr;  ///< of the table alone
  std::uint64_t (*scratch)(const HashShape& shape) = nullptr;
  std::unique_ptr<HashTable> (*make)(Queue& queue, const HashShape& shape) = nullptr;
};

/// The strategy of a line of the list, with its kernels; made in a source of its own.
template <class Strategy>
HashStrategy strategy_of();

/// In the order of the menu.
const std::vector<HashStrategy>& hash_strategies();
const HashStrategy& hash_strategy(const std::string& name);

}  // namespace warploom
