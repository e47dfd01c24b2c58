#pragma once
#include "gpu/own/judgement.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose map its user wrote. Any thread may ask.
class Written : public FacetBase {
 public:
  virtual OwnState own() const = 0;
  /// Its pictures have a colour for cells that are served more than once.
  virtual bool pictures_doubled() const { return false; }
};

}  // namespace warploom
