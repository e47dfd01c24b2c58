#pragma once
#include <optional>
#include <utility>

#include "gpu/core/watched_work.h"
#include "viewer/model/parameters.h"
#include "viewer/model/scene.h"

namespace warploom {

/// Works, applications or algorithms as choices: whatever has key, title and description, or points to it.
template <class List>
std::vector<Choice> choices_of(const List& list) {
  std::vector<Choice> all;
  for (const auto& one : list) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(one)>>)
      all.push_back({one->key, one->title, one->description});
    else
      all.push_back({one.key, one.title, one.description});
  }
  return all;
}

/// Tracks as choices, each with its source. `full`: titled by map and variant, else by the map alone.
std::vector<Choice> track_choices(const std::vector<TrackInfo>& kinds, bool full);

/// Adds the tracks whose names are not there yet.
void add_new_tracks(std::vector<TrackInfo>& to, const std::vector<TrackInfo>& more);

/// Chosen tracks stay where there are such; without any, the usual ones are chosen ("a,b"). `before`: the usual ones of
/// another kind of problem, which do not stay as such; null: the kind is the same.
void follow_tracks(std::vector<std::string>& tracks, const std::vector<TrackInfo>& kinds, const char* before,
                   const char* usual);
bool has_track(const std::vector<TrackInfo>& kinds, const std::string& name);

/// For BuildRequest::make_tracks: `make(queue, track)` for each track.
template <class Make>
auto make_each(std::vector<std::string> tracks, Make make) {
  return [tracks = std::move(tracks), make = std::move(make)](Queue& queue) {
    std::vector<std::unique_ptr<Track>> made;
    made.reserve(tracks.size());
    for (const auto& track : tracks) {
      WatchedWork::reached(static_cast<double>(made.size()) / static_cast<double>(tracks.size()));
      made.push_back(make(queue, track));
    }
    return made;
  };
}

/// A start state that was given as cells, or a random one.
struct StartCells {
  std::optional<std::vector<std::uint8_t>> cells;  ///< in the order of the box; none: random
  std::uint64_t step = 0;                          ///< that the cells are of

  /// The hash of the cells on top of `content`.
  std::uint64_t hash(std::uint64_t content) const;
  /// For BuildRequest::start_state.
  std::function<void(Queue&, Simulation&)> starting(std::uint64_t seed, double density) const;
};

/// A scene over Values, which is what a copy takes along: `params_`, whose `tracks` are shown, and what it likes.
/// Offers its Facets. `Own` is the scene itself, made from Values, or of nothing as a new one; its
/// `describe(Describer&)` describes the parameters.
template <class Own, class Values, class... Facets>
class SceneOf : public Scene, protected Values, public Facets... {
 public:
  std::vector<std::string>& tracks() final { return this->params_.tracks; }
  /// With the values of a new scene as presets.
  std::vector<Parameter> parameters() final {
    static const auto presets = presets_of([](Describer& fresh) { Own().describe(fresh); });
    Describer describer;
    static_cast<Own&>(*this).describe(describer);
    for (auto& parameter : describer.parameters) parameter.preset = presets.at(parameter.key);
    return std::move(describer.parameters);
  }
  std::unique_ptr<Scene> copy() const final {
    auto next = std::make_unique<Own>(static_cast<const Values&>(*this));
    next->letter_as(*this);
    return next;
  }

 protected:
  SceneOf(const SceneInfo& info, const SceneParts& parts, const Values& values) : Scene(info, parts), Values(values) {
    (this->template offer<Facets>(*this), ...);
  }
};

}  // namespace warploom
