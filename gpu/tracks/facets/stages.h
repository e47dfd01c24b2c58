#pragma once
#include "gpu/pictures/selection.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose work has stages that can be picked one after the other. Any thread.
class StagesFacet : public FacetBase {
 public:
  /// The stage `by` stages after the one in `picked`, at the same element, and within the work; where `picked` is
  /// something else, the first stage or, backwards, the start. Empty: the track shows no stages.
  virtual Selection stage_after(const Selection& picked, int by) const = 0;
};

}  // namespace warploom
