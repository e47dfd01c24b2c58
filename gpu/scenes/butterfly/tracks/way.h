#pragma once
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// How a track of these settings runs.
ButterflyWay butterfly_way(const ButterflySettings& settings, const TrackInfo& track);

}  // namespace warploom
