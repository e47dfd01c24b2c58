#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/core/parameter_schema.h"
#include "gpu/tracks/faceted.h"
#include "gpu/tracks/simulation.h"
#include "viewer/model/catalogue.h"
#include "viewer/model/facets.h"
#include "viewer/model/letters.h"
#include "viewer/model/scene_parts.h"

namespace warploom {

/// How to make a scene's tracks: a closure over copied values, so that it can run beside the window.
struct BuildRequest {
  // Four that `hash_by_roles` fills.
  /// Hash of what the start state depends on. Equal to the running one's: state and step are kept.
  std::uint64_t start = 0;
  /// Hash of everything but the tracks: tags timing samples.
  std::uint64_t settings = 0;
  /// Hash of what a step does (rule, work), and its name: changing it in mid-run makes a run that cannot be replayed.
  std::uint64_t logic = 0;
  std::string logic_name;
  /// Why a run from its start state could not be replayed from the parameters; empty: it can.
  std::string history;
  /// Throws UsageError when it does not fit, given the bytes that the running tracks would give back.
  std::function<void(std::uint64_t bytes_released)> check_memory;
  std::function<std::vector<std::unique_ptr<Track>>(Queue&)> make_tracks;
  /// The reference where no track is exact; empty: not needed.
  std::function<std::unique_ptr<Track>(Queue&)> make_hidden;
  std::function<void(Queue&, Simulation&)> start_state;
  /// What the tracks are called on the screen; the caller fills it.
  std::string letters = first_letters;
  /// Size of the largest array of a dump; a double, because a refused size may exceed 2^64.
  double dump_bytes = 0;
  /// Bytes that tracks and start state take, about; 0: not known.
  double memory = 0;
};

using Results = std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>>;

/// What a scene is called.
struct SceneInfo {
  const char *key, *title, *description;
};

/// Joins tracks and a list of parameters. Knows neither Dear ImGui nor OpenGL; its own folders and one line in
/// scenes/list.cpp make a new one. What only some scenes have they offer as facets (facets.h). The window's thread.
class Scene : public Faceted {
 public:
  virtual ~Scene() = default;
  const char* key() const { return info_.key; }
  const char* title() const { return info_.title; }
  const char* description() const { return info_.description; }
  /// Its cards, plots, colours, selection spaces, terms, stats and suites.
  const SceneParts& parts() const { return *parts_; }

  /// Over the current values; valid while the scene lives.
  virtual std::vector<Parameter> parameters() = 0;
  /// Fills what was not given and checks values against each other. Loads files, relative to `folder`. Throws
  /// UsageError or FileError; the values stay as they were set.
  virtual void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) = 0;
  /// After `key` changed in the window: brings what depends on it to the nearest legal value, and says so.
  virtual std::string mend(const std::string& key) = 0;

  /// The tracks there are at the values of now, and the names of those that are shown.
  virtual const std::vector<TrackInfo>& track_kinds() const = 0;
  virtual std::vector<std::string>& tracks() = 0;
  /// What the tracks are called on the screen, as `letters_after` has it: they stay with a track when others come or
  /// go.
  const std::string& letters();
  std::string letter(std::size_t track) { return std::string(1, letters()[track]); }
  /// Of the tracks as they are now. `letters`: distinct ones of 'A' to 'D', one a track; empty: by their places.
  void set_letters(const std::string& letters);
  /// Its hashes are those of `hash_by_roles`.
  virtual BuildRequest build_request(Backend backend) = 0;
  /// Numbers the scene computes: name and value, for statistics and the window. The thread that steps.
  virtual Results results(const Simulation& simulation, Queue& queue) const = 0;
  /// Its topics of `warploom list`, at any values: maps_topic, works_topic, and its own.
  virtual std::vector<Topic> catalogue() const = 0;
  /// The same values, with what was read of files.
  virtual std::unique_ptr<Scene> copy() const = 0;

 protected:
  /// `parts` outlives the scene.
  Scene(SceneInfo info, const SceneParts& parts) : info_(info), parts_(&parts) {}
  void letter_as(const Scene& other) { lettered_ = other.lettered_, letters_ = other.letters_; }

 private:
  SceneInfo info_;
  const SceneParts* parts_;
  std::vector<std::string> lettered_;  ///< the tracks that `letters_` is of
  std::string letters_ = first_letters;
};

/// Every scene, in the order of the tabs.
std::vector<std::unique_ptr<Scene>> make_scenes();

/// Sets one parameter from KEY=VALUE text. Throws UsageError with the nearest key or value.
void set_parameter(Scene& scene, const std::string& assignment, std::set<std::string>& given);

}  // namespace warploom
