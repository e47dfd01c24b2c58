#pragma once
#include "gpu/core/queue.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

class Track;

/// A track that computes its own results and moves on along the reference's: rounding alone would part chaotic orbits.
/// The thread that steps, after every step that is published; not timed.
class FollowerFacet : public FacetBase {
 public:
  /// `reference` may be this track.
  virtual void follow(Queue& queue, const Track& reference) = 0;
};

}  // namespace warploom
