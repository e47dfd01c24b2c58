#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Every output tests every element: what bins save.
struct NoneGather {
  static constexpr BinAccessInfo info{.name = "none/gather",
                                      .description = "every output tests all elements: what bins save"};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow&, Body&& body) {
    if (slots.elements) body(std::uint64_t{0}, slots.elements);
  }
};

}  // namespace warploom
