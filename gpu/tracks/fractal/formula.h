#pragma once
#include <optional>

#include "gpu/maps/fractal/domain.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// The map's formula, evaluated line by line for a thread: lambda's digits of its block, or the bounding box's member
/// test of its cell.
Formula fractal_formula(const FractalDomain& domain, const TrackInfo& track, int block_digits, const Owner& who,
                        const std::optional<Track::Target>& target);

}  // namespace warploom
