#pragma once
#include "gpu/core/types.h"
#include "gpu/maps/formula.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose map can be followed line by line. Any thread may ask.
class Explained : public FacetBase {
 public:
  virtual Formula formula(const Owner& who) const = 0;
};

}  // namespace warploom
