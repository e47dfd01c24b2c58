#pragma once
#include "gpu/own/judgement.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose map its user wrote. Any thread may ask.
class Written : public FacetBase {
 public:
  virtual OwnState own() const = 0;
};

}  // namespace warploom
