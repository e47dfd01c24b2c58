#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/core/probe.h"
#include "gpu/scenes/irregular/irregular.h"
#include "viewer/model/scene_of.h"
#include "viewer/scenes/irregular/parameters.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& irregular_parts();

namespace {

/// The problem that was made last: the thread that builds makes it, the window's thread reads of it.
class MadeProblem {
 public:
  std::shared_ptr<const IrregularProblem> made(const IrregularSystem& system, const IrregularSettings& settings,
                                               std::uint64_t key) {
    if (auto there = last(key)) return there;
    auto problem = system.problem(settings);
    const std::lock_guard lock(mutex_);
    key_ = key;
    refusals_.clear();
    return problem_ = std::move(problem);
  }
  /// Null: it is not of this key.
  std::shared_ptr<const IrregularProblem> last(std::uint64_t key) const {
    const std::lock_guard lock(mutex_);
    return key == key_ ? problem_ : nullptr;
  }
  /// Which tracks had no room when some were made last, and why: found in the thread that builds, as finding out what a
  /// format takes can be long.
  void refuse(std::map<std::string, std::string> refusals) {
    const std::lock_guard lock(mutex_);
    refusals_ = std::move(refusals);
  }
  /// Empty: it has room, or the problem is not of this key.
  std::string refusal(std::uint64_t key, const std::string& track) const {
    const std::lock_guard lock(mutex_);
    const auto found = refusals_.find(track);
    return key == key_ && found != refusals_.end() ? found->second : std::string();
  }

 private:
  mutable std::mutex mutex_;
  std::uint64_t key_ = 0;
  std::shared_ptr<const IrregularProblem> problem_;
  std::map<std::string, std::string> refusals_;
};

/// Why tracks have no room, of those that have none.
std::map<std::string, std::string> refusals_of(const IrregularSystem& system, const IrregularProblem& problem,
                                               const IrregularSettings& settings, double room) {
  std::map<std::string, std::string> all;
  for (const TrackInfo& track : system.tracks) try {
      if (const double bytes = system.bytes(problem, settings, track.name); bytes > room)
        all[track.name] = fmt::format("needs {}, {} free", bytes_text(bytes), bytes_text(room));
    } catch (const UsageError& error) {
      all[track.name] = error.what();
    }
  return all;
}

/// What a copy of the scene takes along.
struct IrregularValues {
  IrregularParams params_;
  std::string follows_ = params_.system;                       ///< the system that the tracks were chosen for
  std::map<std::string, std::vector<std::string>> tracks_of_;  ///< what other systems' tracks were
  std::filesystem::path folder_;
  std::shared_ptr<MadeProblem> made_ = std::make_shared<MadeProblem>();
};

class IrregularScene final : public SceneOf<IrregularScene, IrregularValues, OwnPictures, Unavailable, Libraries,
                                            StepMeaning, FileRemarks, Captioned> {
 public:
  explicit IrregularScene(const IrregularValues& values = {})
      : SceneOf({"irregular", "Irregular", "sparse products, hash tables, trees and task queues"}, irregular_parts(),
                values) {}

  void describe(Describer& d) {
    params_.describe(d, choices_of(irregular_systems()), track_choices(track_kinds(), true));
    d.at("tracks").canonical = [&system = known_system()](const std::string& name) {
      return find_irregular_track(system, name).name;
    };
  }

  void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) override {
    folder_ = folder;
    follow_system(given);
    const IrregularSystem& system = find_irregular_system(params_.system);
    for (auto& track : params_.tracks) track = find_irregular_track(system, track).name;
    system.check(params_.settings(folder), params_.tracks);
  }

  std::string mend(const std::string& key) override {
    if (key == "system") follow_system({"system"});
    return {};
  }

  const std::vector<TrackInfo>& track_kinds() const override { return known_system().tracks; }
  std::vector<std::string> picture_keys() const override {
    std::vector<std::string> all;
    for (const auto* one : irregular_systems()) all.insert(all.end(), one->pictures.begin(), one->pictures.end());
    return all;
  }
  std::string pictures_of() const override { return known_system().key; }

  std::string remarks() const override {
    const auto problem = made_->last(problem_key());
    return problem ? join(problem->remarks) : std::string();
  }
  std::string step_words() const override { return known_system().step_words; }
  std::string caption() const override {
    const auto problem = made_->last(problem_key());
    return problem ? known_system().caption(*problem) : known_system().title;
  }
  std::string look_at(const Simulation& simulation, const std::vector<std::string>& pictures) const override {
    const auto words = known_system().look_at;
    return words ? words(simulation, pictures) : std::string();
  }
  std::string unavailable(Backend backend, const std::string& track) const override {
    const IrregularSystem& system = known_system();
    const std::string why = system.unavailable ? system.unavailable(backend, track) : std::string();
    return why.empty() ? made_->refusal(problem_key(), track) : why;
  }

  std::vector<OptionalLibrary> libraries() const override {
    std::vector<OptionalLibrary> all;
    for (const auto* system : irregular_systems())
      for (const auto& one : system->libraries ? system->libraries() : std::vector<VendorLibrary>{})
        all.push_back({one.name, one.file, one.serves, one.there});
    return all;
  }

  std::vector<Topic> catalogue() const override {
    std::vector<TrackInfo> all;
    for (const auto* one : irregular_systems()) add_new_tracks(all, one->tracks);
    for (auto& info : all) info.title = full_title(info);
    return {maps_topic(key(), all), works_topic(key(), choices_of(irregular_systems()))};
  }

  BuildRequest build_request(Backend backend) override {
    const IrregularSystem& system = known_system();
    const IrregularSettings settings = params_.settings(folder_);
    BuildRequest request;
    hash_by_roles(request, parameters(), backend, problem_key());
    request.dump_bytes = system.dump_bytes(settings);
    // What the tracks take is known when the problem is made: in the thread that builds.
    auto released = std::make_shared<std::uint64_t>(0);
    request.check_memory = [&system, backend, released, tracks = params_.tracks](std::uint64_t bytes) {
      *released = bytes;
      for (const auto& track : tracks)
        if (const std::string why = system.unavailable ? system.unavailable(backend, track) : ""; !why.empty())
          throw UsageError(fmt::format("track {}: {}", track, why));
    };
    request.make_tracks = [&system, settings, backend, released, made = made_, key = problem_key(),
                           tracks = params_.tracks](Queue& queue) {
      const auto problem = made->made(system, settings, key);
      double needed = 0;
      const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(*released);
      made->refuse(refusals_of(system, *problem, settings, available));
      for (const auto& track : tracks) {
        const double own = system.bytes(*problem, settings, track);
        if (own > available)
          throw UsageError(fmt::format("track {} needs {} of {} memory, {} free; choose another or a smaller problem",
                                       track, bytes_text(own), name(backend), bytes_text(available)));
        needed += own;
      }
      if (needed > available)
        throw UsageError(fmt::format("the tracks need {} of {} memory, {} free; choose fewer or a smaller problem",
                                     bytes_text(needed), name(backend), bytes_text(available)));
      return make_each(tracks, [&](Queue& own, const std::string& track) {
        return system.make(own, problem, settings, find_irregular_track(system, track));
      })(queue);
    };
    request.start_state = [](Queue& queue, Simulation& simulation) {
      simulation.start(queue, 0, [&](Track& track) { track.need<IrregularFacet>().start(queue); });
    };
    return request;
  }

  Results results(const Simulation& simulation, Queue& queue) const override {
    return simulation.track(0).need<IrregularFacet>().results(queue);
  }

 private:
  /// While an unknown one is refused, lists are those of the first.
  const IrregularSystem& known_system() const {
    for (const auto* one : irregular_systems())
      if (params_.system == one->key) return *one;
    return *irregular_systems().front();
  }
  /// A hash of what the problem is made from: settings, and the file that they name.
  std::uint64_t problem_key() const { return known_system().problem_key(params_.settings(folder_)); }
  /// Another system has tracks of its own.
  void follow_system(const std::set<std::string>& given) {
    const IrregularSystem& system = find_irregular_system(params_.system);
    const std::string before = std::exchange(follows_, params_.system);
    if (given.contains("tracks")) return;
    if (before != params_.system) {
      tracks_of_[before] = params_.tracks;
      if (const auto had = tracks_of_.find(params_.system); had != tracks_of_.end()) {
        params_.tracks = had->second;
        return;
      }
    }
    follow_tracks(params_.tracks, system.tracks,
                  before == params_.system ? nullptr : find_irregular_system(before).usual_tracks, system.usual_tracks);
  }
};

}  // namespace

std::unique_ptr<Scene> make_irregular_scene() { return std::make_unique<IrregularScene>(); }

}  // namespace warploom
