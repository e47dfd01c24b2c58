#pragma once
#include <string>

#include "gpu/scenes/fractal/fractal.h"
#include "gpu/tracks/facets/exported.h"

namespace warploom::detail {

/// Of a track whose map and storage have these types, as code names them; of an own map `map` is the way inside a
/// block. Throws UsageError where it cannot be taken home.
ExportParts export_fractal(const FractalSettings& settings, const TrackInfo& track, const std::string& storage,
                           const std::string& map);

}  // namespace warploom::detail
