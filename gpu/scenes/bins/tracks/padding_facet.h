#pragma once
#include <optional>
#include <vector>

#include "gpu/tracks/faceted.h"

namespace warploom {

/// What becomes of the same elements where every bin has so many slots, in per cent.
struct PaddingByCapacity {
  std::vector<double> slots;    ///< of a bin, from 1 to the deepest
  std::vector<double> padding;  ///< of all slots, those without an element
  std::vector<double> spilled;  ///< of all elements, those without a slot
  double own_slots = 0;         ///< that a bin of the track has at most; 0: none
  double own_padding = 0;       ///< of the track's slots
};

/// A track of elements in bins. Any thread may ask; of the state that was painted last.
class PaddingFacet : public FacetBase {
 public:
  /// Nullopt: not known yet.
  virtual std::optional<PaddingByCapacity> padding() const = 0;
};

}  // namespace warploom
