#pragma once
#include "gpu/tracks/butterfly/transform.h"

namespace warploom {

/// How a track of these settings runs.
ButterflyWay butterfly_way(const ButterflySettings& settings, const TrackInfo& track);

}  // namespace warploom
