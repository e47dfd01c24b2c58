#pragma once
#include "gpu/scenes/simplex/simplex.h"
#include "viewer/model/facets.h"

namespace warploom {

/// Threads launched per cell by closed form, against n at this block.
std::vector<TheoryCurve> waste_curves(const SimplexSettings& settings, const std::vector<std::string>& tracks);

/// Speed-up of each track over the first against n, by I = beta n^d / (tau cells) [navarro2016tetrahedra]: beta is the
/// measured time of the box per place, tau that of the track's map per cell. With the bound of a layout, 2 - 1/k. Empty
/// before the maps were timed, and without a bounding box to compare with.
std::vector<TheoryCurve> gain_curves(const SimplexSettings& settings, const Simulation& simulation);

/// F and C of the linear layout in words.
std::vector<std::string> layout_theory(const SimplexSettings& settings, const Simulation& simulation);

}  // namespace warploom
