#pragma once
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// How a track of these settings runs.
ButterflyVariant butterfly_variant(const ButterflySettings& settings, const TrackInfo& track);

}  // namespace warploom
