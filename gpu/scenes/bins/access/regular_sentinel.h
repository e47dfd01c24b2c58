#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Loads all slots of a bin, and looks at them until the first padding.
struct RegularSentinel : EveryRow {
  static constexpr BinAccessInfo info{
      .name = "regular/sentinel",
      .description = "as many slots in every bin; loads all, stops at the first padding (ELLPACK, untransposed)",
      .stops_at_padding = true,
      .spills = true,
      .reads_padding = true,
      .by_bins = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    if (slots.capacity == 0) return;
    for (std::uint64_t bin = row.first; bin <= row.last; ++bin) body(bin * slots.capacity, (bin + 1) * slots.capacity);
  }
};

}  // namespace warploom
