#pragma once
#include <cstdint>

#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track that keeps less than a place of the box each. Any thread may ask.
class StorageFacet : public FacetBase {
 public:
  /// Bytes of the whole box, one a place, over those of one state.
  virtual double memory_gain() const = 0;
  /// Side of the tiles that the state is kept in, which the gain depends on; 0: in none.
  virtual std::uint32_t tile_side() const = 0;
};

}  // namespace warploom
