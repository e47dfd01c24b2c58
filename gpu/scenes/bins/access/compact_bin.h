#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Bin after bin of a compact array.
struct CompactBin : EveryRow {
  static constexpr BinAccessInfo info{.name = "compact/bin",
                                      .description = "no padding; reads where each bin begins and ends (CSR)",
                                      .reads_a_bin = 2,
                                      .spills = true,
                                      .by_bins = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    for (std::uint64_t bin = row.first; bin <= row.last; ++bin) {
      const std::uint64_t first = slots.offsets[bin], last = slots.offsets[bin + 1];
      if (first < last) body(first, last);
    }
  }
};

}  // namespace warploom
