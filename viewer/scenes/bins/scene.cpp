#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "viewer/model/scene_of.h"
#include "viewer/scenes/bins/parameters.h"
#include "viewer/scenes/bins/problems.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& bins_parts();

namespace {

/// What a copy of the scene takes along.
struct BinsValues {
  BinsParams params_;
  std::string tracks_of_ = params_.application;  ///< the application that the tracks were chosen for
  std::map<std::string, BinsParams> left_;       ///< as applications were left, to come back to
  std::filesystem::path folder_;
  /// As it was resolved last: menus ask in every frame.
  std::string input_name_ = bin_input_name(params_.settings(folder_));
  std::shared_ptr<BinProblems> problems_ = std::make_shared<BinProblems>();
};

class BinsScene final : public SceneOf<BinsScene, BinsValues, OwnPictures, FileRemarks, Captioned> {
 public:
  explicit BinsScene(const BinsValues& values = {})
      : SceneOf({"bins", "Bins", "functions of limited range: bodies, charges, samples and blobs, binned"},
                bins_parts(), values) {}

  void describe(Describer& d) {
    params_.describe(d, choices_of(bin_applications()), track_choices(track_kinds(), true));
    d.at("input").saying(told([](const BinProblem& p) { return short_count(p.input.count()) + " elements"; }));
    d.at("bin").saying(told([](const BinProblem& p) { return short_count(p.space.grid.count()) + " bins"; }));
    d.at("bin").taking_now(told([](const BinProblem& p) { return fmt::format("{:.4g}", p.space.grid.side[0]); }));
    d.at("cutoff").taking_now(told([](const BinProblem& p) { return fmt::format("{:.4g}", p.space.cutoff); }));
    d.at("spacing").taking_now(
        told([](const BinProblem& p) { return fmt::format("{:.4g}", p.space.lattice.spacing); }));
    d.at("grid").taking_now(told([](const BinProblem& p) { return std::to_string(p.space.lattice.points.x); }));
    // Those of other applications are known too: what refuses them gives the reason.
    d.at("tracks").canonical = [application = params_.application](const std::string& name) {
      return find_bin_track(application, name).name;
    };
  }

  void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) override {
    folder_ = folder;
    follow_application(given);
    for (auto& track : params_.tracks) track = find_bin_track(params_.application, track).name;
    check_bin_settings(params_.settings(folder));
    // A scene of a file that is gone is refused before anything is built of it.
    check_bin_input(params_.settings(folder));
    input_name_ = bin_input_name(params_.settings(folder));
  }

  std::string mend(const std::string& key) override {
    if (key == "application") return change_application();
    if (key == "tile" && params_.per_thread > params_.tile) {
      params_.per_thread = params_.tile;
      return fmt::format("per_thread is {} now, the tile", params_.tile);
    }
    return {};
  }

  const std::vector<TrackInfo>& track_kinds() const override {
    const auto& known = bin_applications();
    const bool there = std::ranges::any_of(known, [&](const auto* one) { return params_.application == one->key; });
    return bin_tracks(there ? params_.application : known.front()->key);
  }
  std::vector<std::string> picture_keys() const override {
    return {"occupancy", "memory", "output", "surface", "image", "launch"};
  }
  std::string pictures_of() const override { return params_.application; }

  std::string remarks() const override {
    const auto problem = problems_->known(input_name_);
    return problem ? remarks_text(problem->input.name, problem->input.remarks) : std::string();
  }

  std::string caption() const override {
    std::string what = find_bin_application(params_.application).title;
    const auto problem = problems_->known(input_name_);
    if (!problem) return what;
    const BinGrid& grid = problem->space.grid;
    return fmt::format("{}: {} elements in {} \u00d7 {} \u00d7 {} bins of side {:.3g}", what,
                       grouped(problem->input.count()), grid.bins.x, grid.bins.y, grid.bins.z, grid.side[0]);
  }
  std::string look_at(const Simulation&, const std::vector<std::string>& pictures) const override {
    return std::ranges::count(pictures, "memory") ? "Hatched slots below are padding." : std::string();
  }

  std::vector<Topic> catalogue() const override {
    std::vector<TrackInfo> all;
    for (const auto* one : bin_applications()) add_new_tracks(all, bin_tracks(one->key));
    for (auto& info : all) info.title = full_title(info);
    return {maps_topic(key(), all), works_topic(key(), choices_of(bin_applications()))};
  }

  BuildRequest build_request(Backend backend) override {
    const BinSettings settings = params_.settings(folder_);
    BuildRequest request;
    hash_by_roles(request, parameters(), backend, text_hash(bin_input_words(settings)));
    // What it takes is known when the input is there: each track asks for its own, before it takes any.
    request.check_memory = [](std::uint64_t) {};
    request.make_tracks = [settings, tracks = params_.tracks, problems = problems_](Queue& queue) {
      return make_each(tracks, [problem = problems->make(settings)](Queue& own, const std::string& track) {
        return make_bins_track(own, problem, track);
      })(queue);
    };
    request.start_state = [](Queue& queue, Simulation& simulation) {
      simulation.start(queue, 0, [&](Track& track) { start_bins(track, queue); });
    };
    return request;
  }

  Results results(const Simulation& simulation, Queue& queue) const override {
    return bin_results(simulation.reference_track(), queue);
  }

 private:
  /// Each application has an input, a reach, tracks and a cap of its own: those that it was left with, or the usual
  /// ones. What changed of the tracks and the cap, in words.
  std::string change_application() {
    const BinsParams before = params_;
    left_[tracks_of_] = before;
    const auto had = left_.find(params_.application);
    const BinsParams own = had == left_.end() ? BinsParams() : had->second;
    follow_application({"application"});
    if (had != left_.end()) params_.tracks = own.tracks;
    params_.input = own.input;
    params_.cap = own.cap;
    params_.bin = own.bin;
    params_.cutoff = own.cutoff;
    params_.spacing = own.spacing;
    params_.grid = own.grid;
    std::vector<std::string> told, gone;
    for (const auto& track : before.tracks)
      if (!has_track(track_kinds(), track)) gone.push_back(track);
    if (params_.tracks != before.tracks) told.push_back("tracks " + join(params_.tracks));
    if (params_.cap != before.cap) told.push_back("cap " + params_.cap);
    return told.empty() ? std::string()
                        : fmt::format("{}{}: {}, {}", find_bin_application(params_.application).title,
                                      gone.empty() ? "" : " has no " + join(gone), join(told),
                                      had == left_.end() ? "as usual there" : "as it was left");
  }
  /// Another application has tracks of its own.
  void follow_application(const std::set<std::string>& given) {
    const std::string before = std::exchange(tracks_of_, params_.application);
    if (given.contains("tracks")) return;
    const char* usual = find_bin_application(params_.application).usual_tracks;
    follow_tracks(params_.tracks, track_kinds(),
                  before == params_.application ? nullptr : find_bin_application(before).usual_tracks, usual);
  }
  /// What `tell` says of the problem, once it is made.
  std::function<std::string()> told(std::string (*tell)(const BinProblem&)) const {
    return [this, tell] {
      const auto problem = problems_->known(input_name_);
      return problem ? tell(*problem) : std::string();
    };
  }
};

}  // namespace

std::unique_ptr<Scene> make_bins_scene() { return std::make_unique<BinsScene>(); }

}  // namespace warploom
