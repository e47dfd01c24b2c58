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
  /// The element `by` elements after the one in `picked`, at the same stage; else as `stage_after` has it.
  virtual Selection element_after(const Selection& picked, int by) const = 0;
  /// "stage 3 of 6: digit 3, 4 wires apart"; empty: `picked` is no stage of the track.
  virtual std::string stage_words(const Selection& picked) const = 0;
};

}  // namespace warploom
