#pragma once
#include <memory>
#include <vector>

#include "gpu/scenes/irregular/hash/table.h"
#include "gpu/tracks/facets/counted.h"

namespace warploom {

/// What a table costs to ask, counted over the queries of a finished state; cards, curves and stats tell by it.
struct HashReport {
  HashShape shape;
  HashFacts facts;
  std::uint64_t hits = 0, misses = 0;  ///< queries
  double probes_hit = 0, probes_miss = 0;
  static constexpr std::size_t most_probes = 128;
  /// Queries by their probes, those found and those not; the last has all with as many or more.
  std::vector<double> of_hits, of_misses;
  Counts counts;
  HashTable::Buckets buckets;
  double bytes_per_pair() const { return static_cast<double>(facts.bytes) / static_cast<double>(shape.keys); }
  double load() const { return static_cast<double>(shape.keys) / static_cast<double>(facts.slots); }
};

/// A track that is a table. Any thread may ask.
class HashFacet : public FacetBase {
 public:
  /// The report of the state that was counted last; null: none was.
  virtual std::shared_ptr<const HashReport> report() const = 0;
};

}  // namespace warploom
