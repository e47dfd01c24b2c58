#pragma once
#include <string>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

/// A map and the ways there are to run it: layouts, or how a block is served within.
struct MapChoice {
  std::string map;
  std::vector<const TrackInfo*> ways;  ///< of the scene
  /// The way that is most like that of another map's track; of those as much alike the first.
  const TrackInfo& like(const TrackInfo& other) const;
};

/// A scene's maps, each once, in the order of its tracks.
std::vector<MapChoice> map_choices(const Scene& scene);

/// Why a track of the scene cannot run here, and what helps; empty: it can.
std::string unavailable(const Scene& scene, Backend backend, const std::string& track);

/// A track's name without the devices that it asks for; and, of another kind, with them: "wang_mou", "thomas@2" of
/// "wang_mou@2".
std::string kind_of_track(const std::string& track);
std::string on_same_devices(const std::string& kind, const std::string& track);

/// What tells a way from the others of its map: "blocked", "unroll".
std::string way_title(const TrackInfo& info);

}  // namespace warploom
