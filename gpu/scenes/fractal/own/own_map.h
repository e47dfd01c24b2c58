#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/tracks/stored_map.h"

namespace warploom::detail {

/// The entry of a track of an own map: "own:fold[/intra[/storage]]". It stays for the life of the program. Throws
/// UsageError where there is no such map, way or storage.
const FractalEntry& own_fractal_entry(const std::string& track);

/// A built-in map whose steps run the rule `settings.work`, in a process of their own. Its memory, and that of the
/// track, is of shared pages. Throws as compile_own() does.
template <class Storage>
struct OwnRuleUnder {
  static std::unique_ptr<StoredMap<Storage>> made(Queue& queue, const FractalSettings& settings,
                                                  std::unique_ptr<StoredMap<Storage>> map);
};

/// The names of all tracks of an own map, "own:fold".
std::vector<std::string> own_fractal_names(const std::string& map);

}  // namespace warploom::detail
