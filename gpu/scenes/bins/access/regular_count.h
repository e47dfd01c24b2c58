#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Reads how many of a bin's slots are real, and loads those. In words of sparse matrices: ELLPACK with row lengths.
struct RegularCount : EveryRow {
  static constexpr BinAccessInfo info{
      .name = "regular/count",
      .description = "as many slots in every bin; reads how many are real (ELLPACK, untransposed)",
      .reads_a_bin = 1,
      .spills = true,
      .by_bins = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    for (std::uint64_t bin = row.first; bin <= row.last; ++bin) {
      const std::uint32_t real = slots.counts[bin];
      const std::uint64_t first = bin * slots.capacity;
      if (real && slots.capacity) body(first, first + (real < slots.capacity ? real : slots.capacity));
    }
  }
};

}  // namespace warploom
