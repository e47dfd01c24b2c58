#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Loads the slots of a whole row of bins, padding and all.
struct RegularRange : EveryRow {
  static constexpr BinAccessInfo info{
      .name = "regular/range",
      .description = "as many slots in every bin; loads a row of bins at once, padding and all (ELLPACK, untransposed)",
      .reads_padding = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    if (slots.capacity) body(row.first * slots.capacity, (row.last + 1) * slots.capacity);
  }
};

}  // namespace warploom
