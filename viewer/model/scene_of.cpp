#include "viewer/model/scene_of.h"

#include <algorithm>
#include <sstream>

#include "gpu/core/hash.h"
#include "viewer/model/map_choice.h"

namespace warploom {

namespace {
std::vector<std::string> names_in(const char* text) {
  std::vector<std::string> all;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) all.push_back(word);
  return all;
}
}  // namespace

std::vector<Choice> track_choices(const std::vector<TrackInfo>& kinds, bool full) {
  std::vector<Choice> all;
  all.reserve(kinds.size());
  for (const auto& track : kinds)
    all.push_back(
        {track.name, full ? full_title(track) : track.title, track.description + " \u00b7 " + track.citation});
  return all;
}

bool has_track(const std::vector<TrackInfo>& kinds, const std::string& name) {
  const std::string kind = kind_of_track(name);
  return std::any_of(kinds.begin(), kinds.end(), [&](const TrackInfo& info) { return info.name == kind; });
}

void add_new_tracks(std::vector<TrackInfo>& to, const std::vector<TrackInfo>& more) {
  for (const auto& track : more)
    if (!has_track(to, track.name)) to.push_back(track);
}

void follow_tracks(std::vector<std::string>& tracks, const std::vector<TrackInfo>& kinds, const char* before,
                   const char* usual) {
  if (before && tracks == names_in(before)) tracks.clear();
  std::erase_if(tracks, [&](const std::string& track) { return !has_track(kinds, track); });
  if (tracks.empty()) tracks = names_in(usual);
}

std::uint64_t StartCells::hash(std::uint64_t content) const {
  return cells ? text_hash({reinterpret_cast<const char*>(cells->data()), cells->size()}, content) : content;
}

std::function<void(Queue&, Simulation&)> StartCells::starting(std::uint64_t seed, double density) const {
  return [start = *this, seed, density](Queue& queue, Simulation& simulation) {
    if (start.cells)
      load(simulation, queue, *start.cells, start.step);
    else
      fill(simulation, queue, seed, density);
  };
}

}  // namespace warploom
