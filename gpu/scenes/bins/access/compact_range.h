#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// One run of elements for a row of bins along x, with no loop over its bins.
struct CompactRange : EveryRow {
  static constexpr BinAccessInfo info{.name = "compact/range",
                                      .description = "no padding; one run of elements for a whole row of bins (CSR)",
                                      .reads_a_row = 2,
                                      .spills = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    const std::uint64_t first = slots.offsets[row.first], last = slots.offsets[row.last + 1];
    if (first < last) body(first, last);
  }
};

}  // namespace warploom
