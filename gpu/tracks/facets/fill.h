#pragma once
#include <cstdint>
#include <span>

#include "gpu/core/queue.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose start state is drawn by the hash of a seed, or given. The thread that steps; it writes the state that
/// is not shown, as `step` does.
class FillFacet : public FacetBase {
 public:
  /// Cells are alive with probability `density`, or have values below one; the same under every map and storage.
  virtual void fill(Queue& queue, std::uint64_t seed, double density) = 0;
  /// A logical state, row-major over the box; only members are looked at. Throws UsageError where the size is another.
  virtual void load(Queue& queue, std::span<const std::uint8_t> state) = 0;
};

}  // namespace warploom
