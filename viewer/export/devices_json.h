#pragma once
#include <nlohmann/json.hpp>

#include "gpu/tracks/track.h"

namespace warploom {

/// What several devices do of a track's steps, as stats have it; null for a track on one device.
nlohmann::ordered_json devices_json(const Track& track);

}  // namespace warploom
