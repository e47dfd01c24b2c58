#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/scenes/bins/kernels/geometry.h"

namespace warploom {

/// How full the bins of a finished state are, on the host: what cards and marks tell by.
struct BinsSnapshot {
  std::uint64_t serial = 0;  ///< of the state; 0: none was looked at yet
  std::uint64_t elements = 0, bins = 0, empty = 0, deepest = 0;
  double mean = 0, deviation = 0;
  std::uint64_t spilled = 0, slots = 0;
  std::uint32_t capacity = 0, cap = ~0u;
  /// Bins of each depth, 0 first; the last has all that are as deep or deeper.
  std::vector<std::uint64_t> of_depth;
  /// Each bin's depth, and the first slot of each, with a cap, and one more; empty where there are too many bins.
  std::vector<std::uint32_t> counts, offsets;

  /// Of bins of one capacity, or, where they have none, of compact ones.
  std::uint64_t first_slot(std::uint64_t bin) const { return capacity ? bin * capacity : offsets[bin]; }

  static constexpr std::uint64_t most_depths = 1024, most_bins = 1u << 22, most_elements = 1u << 22;
};

/// What of a state a snapshot is made of.
struct SnapshotOf {
  const std::uint32_t* counts = nullptr;  ///< backend memory, (bins)
  std::uint64_t elements = 0, bins = 0, serial = 0, slots = 0;
  std::uint32_t capacity = 0, cap = ~0u;
  unsigned multiple = 1;  ///< slots of a compact bin are rounded up to
};
/// Waits for it.
std::shared_ptr<const BinsSnapshot> snapshot_of(Queue& queue, const SnapshotOf& of);

}  // namespace warploom
