#pragma once
#include <string>

#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/exported.h"

namespace warploom::detail {

/// Of a track whose map has this type, as code names it; of an own map it is empty. Throws UsageError where it cannot
/// be taken home.
ExportParts export_simplex(const SimplexSettings& settings, const TrackInfo& track, const std::string& map);

}  // namespace warploom::detail
