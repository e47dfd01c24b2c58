#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/scenes/fractal/tracks/entry.h"

namespace warploom::detail {

/// The entry of a track of an own map: "own:fold[/intra[/storage]]". It stays for the life of the program. Throws
/// UsageError where there is no such map, way or storage.
const FractalEntry& own_fractal_entry(const std::string& track);

/// The names of all tracks of an own map, "own:fold".
std::vector<std::string> own_fractal_names(const std::string& map);

}  // namespace warploom::detail
