#include "viewer/model/map_choice.h"

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/tracks/named_devices.h"

namespace warploom {

const TrackInfo& MapChoice::like(const TrackInfo& other) const {
  // Storage counts most: a user who chose a cap wants one here, too.
  const auto alike = [&](const TrackInfo* way) {
    return 4 * (way->storage == other.storage) + 2 * (way->intra == other.intra) + (way->layout == other.layout);
  };
  return **std::ranges::max_element(ways, {}, alike);
}

std::vector<MapChoice> map_choices(const Scene& scene) {
  std::vector<MapChoice> all;
  for (const TrackInfo& info : scene.track_kinds()) {
    const auto known = std::ranges::find(all, info.map, &MapChoice::map);
    if (known == all.end())
      all.push_back({info.map, {&info}});
    else
      known->ways.push_back(&info);
  }
  return all;
}

std::string unavailable(const Scene& scene, Backend backend, const std::string& track) {
  const auto* some = scene.facet<Unavailable>();
  return some ? some->unavailable(backend, track) : std::string();
}

std::string kind_of_track(const std::string& track) { return without_devices(track); }

std::string on_same_devices(const std::string& kind, const std::string& track) {
  return kind_of_track(kind) + track.substr(kind_of_track(track).size());
}

std::string way_title(const TrackInfo& info) {
  std::vector<std::string> words;
  for (const std::string& word : {info.layout, info.intra, info.storage})
    if (!word.empty() && word != "embedded") words.push_back(word);  // the default storage
  std::string title = join(words, ", ");
  std::ranges::replace(title, '_', ' ');
  return title;
}

}  // namespace warploom
