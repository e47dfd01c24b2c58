#pragma once
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A track whose warps take several turns: of its Counts threads are lane turns, 32 a turn, and warps are turns.
class LaneTurns : public FacetBase {};

}  // namespace warploom
