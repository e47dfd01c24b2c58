#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/scenes/simplex/simplex.h"
#include "viewer/scenes/simplex/parameters.h"

namespace warploom {

/// What the tracks' layouts list at these settings, with 1 and auto.
std::vector<Choice> coarsen_choices(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks);

/// The tracks' boxes of cells per thread ("4 × 4 × 1"; empty: a cell), and gangs: the first's, and others that differ.
std::string boxes_text(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks);
/// Which tracks have a thread per cell whatever is asked for, and why; empty: none.
std::string without_shapes(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks);
std::string gangs_text(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks);

/// Whether every track can share out its blocks at these settings.
bool shares_fit(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks);

/// What was not asked for follows block, work and tracks: numbers that are not listed become the best, or one. `fits`:
/// the parameters as they are now do.
void follow_shares(SimplexParams& params, const std::set<std::string>& given, const std::function<bool()>& fits);

}  // namespace warploom
