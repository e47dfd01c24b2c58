#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/scenes/simplex/simplex.h"
#include "gpu/scenes/simplex/tracks/placed_map.h"

namespace warploom::detail {

/// The track of an own map: "own:fold[/layout]". It stays for the life of the program. Throws UsageError where there is
/// no such map or layout.
const TrackInfo& own_simplex_track(const std::string& track);

/// Its tracks of every own map of this process, all layouts.
std::vector<TrackInfo> own_simplex_tracks();

std::unique_ptr<Track> make_own_simplex_track(Queue& queue, const SimplexSettings& settings, const TrackInfo& info);

/// A built-in map whose steps run the rule `settings.work`, in a process of their own. Its memory, and that of the
/// track, is of shared pages. Throws as compile_own() does.
template <int Dimensions>
std::unique_ptr<PlacedMap<Dimensions>> under_own_rule(Queue& queue, const SimplexSettings& settings,
                                                      const TrackInfo& info,
                                                      std::unique_ptr<PlacedMap<Dimensions>> map);

/// Bytes that judging keeps, but for what a map alone says: how many blocks it launches.
double own_simplex_bytes(const SimplexSettings& settings);

}  // namespace warploom::detail
