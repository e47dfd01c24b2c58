#pragma once
#include "gpu/core/queue.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose map can be run without its work, for the papers' beta and tau. The thread that steps.
class MapAlone : public FacetBase {
 public:
  /// Runs the map alone so many times; the median time in milliseconds.
  virtual double time_map(Queue& queue, int times) = 0;
};

}  // namespace warploom
