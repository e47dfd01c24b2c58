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

#include "gpu/core/describe.h"
#include "gpu/tracks/facets/failing.h"
#include "gpu/tracks/simulation.h"

namespace warploom {

/// How to make a scene's tracks: a closure over copied values, so that it can run beside the window.
struct BuildRequest {
  // Four that `hash_by_roles` fills.
  /// Hash of what the start state depends on. Equal to the running one's: state and step are kept.
  std::uint64_t start = 0;
  /// Hash of everything: tags timing samples.
  std::uint64_t settings = 0;
  /// Hash of what a step does (rule, work), and its name: changing it in mid-run makes a run that cannot be replayed.
  std::uint64_t logic = 0;
  std::string logic_name;
  /// Throws UsageError when it does not fit, given the bytes that the running tracks would give back.
  std::function<void(std::uint64_t bytes_released)> check_memory;
  std::function<std::vector<std::unique_ptr<Track>>(Queue&)> make_tracks;
  /// Where no track is exact: the one they are held against. Empty: not needed.
  std::function<std::unique_ptr<Track>(Queue&)> make_hidden;
  std::function<void(Queue&, Simulation&)> start_state;
};

/// A curve of theory, over sides n.
struct TheoryCurve {
  std::size_t track = 0;
  std::vector<double> n, value;
  std::string name;  ///< where it is not the track's own
};

/// How to see a map that is meant to be wrong go wrong: a parameter to slide, and the values that reach its first
/// failure.
struct BreakIt {
  std::string key;
  std::int64_t maximum = 1;
  std::vector<std::pair<std::string, Value>> reach;
};

using Results = std::vector<std::pair<std::string, std::variant<std::uint64_t, double>>>;

/// Joins an op, a picture and a list of parameters. Knows neither Dear ImGui nor OpenGL; one .cpp and one line in
/// scenes.cpp make a new one.
class Scene {
 public:
  virtual ~Scene() = default;
  virtual const char* key() const = 0;
  virtual const char* title() const = 0;
  virtual const char* description() const = 0;

  /// Over the current values; valid while the scene lives.
  virtual std::vector<Parameter> parameters() = 0;
  /// Fills what was not given and checks values against each other. Loads files, relative to `folder`. Throws
  /// UsageError or FileError; the values stay as they were set.
  virtual void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) = 0;
  /// After `key` changed in the window: brings what depends on it to the nearest legal value, and says so.
  virtual std::string mend(const std::string& key) = 0;

  virtual const std::vector<TrackInfo>& track_kinds() const = 0;
  virtual std::vector<std::string>& tracks() = 0;
  /// Its hashes are those of `hash_by_roles`.
  virtual BuildRequest build_request(Backend backend) = 0;
  /// Bytes of the largest array a track's dump has; a double, because a refused size may pass 2^64.
  virtual double dump_bytes() const = 0;
  /// How much taller than wide a cell is drawn, for domains that would be a line.
  virtual double cell_height() const { return 1; }
  /// What its pictures can be coloured by, in the order of the menu.
  virtual std::vector<ColourBy> colours() const = 0;
  /// Every track and work of every domain, for lists.
  virtual std::vector<TrackInfo> all_track_kinds() const { return track_kinds(); }
  virtual std::vector<Choice> all_works() const = 0;

  /// Numbers the scene computes: name and value, for statistics and the window.
  virtual Results results(const Simulation& simulation, Queue& queue) const = 0;
  /// One sentence of theory for the waste card, and the curve threads per cell against n.
  virtual std::string theory(const Simulation& simulation) const = 0;
  virtual std::vector<TheoryCurve> curves() const = 0;
  /// Speed-up against n as theory has it, from measured costs of the maps alone; empty: not measured, or no theory.
  virtual std::vector<TheoryCurve> speed_curves(const Simulation&) const { return {}; }
  /// Lines that stand beside the exact counts of the layouts.
  virtual std::vector<std::string> layout_theory(const Simulation&) const { return {}; }
  /// For a track that is meant to be wrong.
  virtual std::optional<BreakIt> break_it(const FirstWrong&) const { return std::nullopt; }
  /// Text of a custom domain for scene files: the rows of a mask that came from a file. Empty: none.
  virtual std::vector<std::string> custom_rows() const { return {}; }
  virtual std::string custom_name() const { return {}; }
  /// Throws UsageError where the scene has no such thing.
  virtual void set_custom(const std::string& name, const std::vector<std::string>& rows);
  /// A start state given as bytes, in place of a file (a captured PNG's). Empty cells: none.
  /// `step` is the step that it is the state of.
  virtual void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height,
                         std::uint64_t step) = 0;
  /// The loaded start state over the whole box; null: random.
  virtual const std::vector<std::uint8_t>* start_state() const { return nullptr; }
  virtual std::unique_ptr<Scene> copy() const = 0;
};

/// Every scene, in the order of the tabs.
std::vector<std::unique_ptr<Scene>> make_scenes();

/// A scene by its key. Throws UsageError with the nearest.
std::unique_ptr<Scene> make_scene(const std::string& key);

/// Sets one parameter from KEY=VALUE text. Throws UsageError with the nearest key or value.
void set_parameter(Scene& scene, const std::string& assignment, std::set<std::string>& given);

}  // namespace warploom
