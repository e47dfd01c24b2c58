#pragma once
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track that can work out its seal while it writes a step. The thread that steps.
class SealedStep : public FacetBase {
 public:
  /// Whether a seal of what the next steps write is asked for as soon as the last is published.
  virtual void seal_with_step(bool seals) = 0;
};

}  // namespace warploom
