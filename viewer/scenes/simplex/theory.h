#pragma once
#include "gpu/scenes/simplex/simplex.h"
#include "viewer/model/facets/theory.h"

namespace warploom {

/// Threads launched a cell by closed form, against n at this block.
std::vector<TheoryCurve> waste_curves(const SimplexSettings& settings, const std::vector<std::string>& tracks);

/// Speed-up of each track over the first against n, by I = beta n^d / (tau cells) [navarro2016tetrahedra] with beta and
/// tau as measured: beta the time of the box a place of it, tau the time of the track's map a cell. With the bound that
/// a layout can bring, 2 - 1/k. Empty before the maps were timed, and without a bounding box to compare with.
std::vector<TheoryCurve> gain_curves(const SimplexSettings& settings, const Simulation& simulation);

/// F and C of the linear layout beside the counts, in words.
std::vector<std::string> layout_theory(const SimplexSettings& settings, const Simulation& simulation);

}  // namespace warploom
