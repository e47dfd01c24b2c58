#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/scenes/bins/bins.h"

namespace warploom {

/// What of a state is told by numbers.
struct BinShape {
  std::uint32_t capacity = 0, cap = ~0u;
  std::uint64_t slots = 0;
  bool stepped = false;
};

/// How full the bins of a finished state are, on the host: what cards and marks tell by.
struct BinsSnapshot : BinDepths, BinShape {
  std::uint64_t serial = 0;  ///< of the state; 0: none was looked at yet
  std::uint64_t spilled = 0;
  /// Bins of each depth, 0 first; the last has all that are as deep or deeper.
  std::vector<std::uint64_t> of_depth;
  /// Each bin's depth, and the first slot of each, with a cap, and one more; empty where there are too many bins.
  std::vector<std::uint32_t> counts, offsets;

  std::uint64_t kept() const { return elements - spilled; }
  std::uint64_t padding() const { return slots - kept(); }
  /// No bin is used: the cap is 0.
  bool all_spilled() const { return elements > 0 && spilled == elements; }

  /// Of bins of one capacity, or, where they have none, of compact ones.
  std::uint64_t first_slot(std::uint64_t bin) const { return capacity ? bin * capacity : offsets[bin]; }

  static constexpr std::uint64_t most_depths = 1024, most_bins = 1u << 22, most_elements = 1u << 22;
};

/// Counts what of a state is known: its shape, serial, elements and bins. `counts`: backend memory,
/// (bins); slots of a compact bin are rounded up to a `multiple`. Waits for it.
void count_depths(Queue& queue, const std::uint32_t* counts, unsigned multiple, BinsSnapshot& of);

}  // namespace warploom
