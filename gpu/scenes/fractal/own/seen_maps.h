#pragma once
#include <string>
#include <vector>

#include "gpu/own/arguments.h"
#include "gpu/own/seen.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// Runs one visit of a built-in map, marked (gpu/own/see.h). `type`: as type_name gives it. `tables`: what the map's
/// table() returned, in memory of the host. `answer`: the cell that the thread serves; `useful` false with the place of
/// a wasted thread, and with all ones where its block serves nothing. Notes are added. False: there is no such map.
bool see_fractal_map(const std::string& type, const FractalDomain& domain, int block_digits,
                     const std::uint32_t* tables, const own::Visit& visit, own::SeenNotes& notes, Target& answer);

/// The files that notes name by their numbers, as the kit has them.
std::vector<std::string> seen_fractal_files();

}  // namespace warploom
