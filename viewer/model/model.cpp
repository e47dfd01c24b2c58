#include "viewer/model/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "gpu/core/words.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"

namespace warploom {

Model::Model(Backend backend, bool synchronous, std::vector<std::unique_ptr<Scene>> scenes)
    : folder(std::filesystem::current_path()),
      scenes_(std::move(scenes)),
      runner_(backend, synchronous),
      synchronous_(synchronous) {}

const std::vector<ColourName>& colour_names() {
  static const std::vector<ColourName> all{
      {ColourBy::state, "state", "state", "what the cells hold"},
      {ColourBy::launch_order, "launch_order", "launch order", "which block serves the cell, in launch order"},
      {ColourBy::warp, "warp", "warp", "which warp of its block serves the cell"},
      {ColourBy::layer, "layer", "layer", "rows of a triangle, layers of a tetrahedron"},
      {ColourBy::waste, "waste", "waste", "share of the block's threads that work for nothing"},
      {ColourBy::address, "address", "address", "where the cell lies in memory, in the track's layout"}};
  return all;
}

void Model::tell(const std::string& text, bool error) {
  notice = text;
  notice_is_error = error;
}

void Model::rebuild(std::uint64_t fast_forward, bool anew) {
  const std::uint64_t build = runner_.build(scene().build_request(runner_.backend()), fast_forward, anew);
  if (!synchronous_) asked_ = Asked{build, active_scene_, scene().copy(), undo_, redo_};
}

void Model::settle() {
  if (!asked_) return;
  const Runner::Builds builds = runner_.builds();
  if (builds.shown == asked_->build) shown_ = std::exchange(asked_, std::nullopt);
  if (!asked_ || builds.given_up != asked_->build) return;
  asked_.reset();
  if (!shown_) return;
  active_scene_ = shown_->active;
  replace_scene(shown_->scene->copy());
  undo_ = shown_->undo;
  redo_ = shown_->redo;
  tell("cancelled: the parameters are those of what is shown again");
  // The old tracks may have gone first to make room.
  if (!runner_.simulation()) rebuild();
}

std::vector<Value> Model::values() {
  std::vector<Value> all;
  for (const auto& parameter : scene().parameters()) all.push_back(parameter.get());
  return all;
}

void Model::restore(const std::vector<Value>& values) {
  auto next = scene().copy();
  const auto parameters = next->parameters();
  std::set<std::string> given;
  for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
    parameters[i].set(values[i]);
    given.insert(parameters[i].key);
  }
  next->resolve(given, folder);
  replace_scene(std::move(next));
}

void Model::replace_scene(std::unique_ptr<Scene> next) {
  replaced_.push_back(std::exchange(scenes_[active_scene_], std::move(next)));
  active_track = std::min(active_track, scene().tracks().size() - 1);
}

Model::Kept Model::keep() const {
  Kept kept;
  for (const auto& scene : scenes_) kept.scenes.push_back(scene->copy());
  kept.active = active_scene_;
  return kept;
}

void Model::bring_back(Kept& kept) {
  scenes_ = std::move(kept.scenes);
  active_scene_ = kept.active;
}

void Model::remember(Before before) {
  undo_.push_back({before.scene, std::move(before.values)});
  redo_.clear();
}

bool Model::set(const std::vector<std::pair<std::string, Value>>& wanted, std::uint64_t fast_forward) {
  const auto before = values();
  try {
    // On a copy: what is refused, or cannot be read, leaves the scene as it was.
    auto next = scene().copy();
    const auto parameters = next->parameters();
    std::string mended;
    std::set<std::string> given;
    for (const auto& [key, value] : wanted) {
      const auto found = std::find_if(parameters.begin(), parameters.end(),
                                      [&, name = key](const Parameter& p) { return p.key == name; });
      if (found == parameters.end()) throw UsageError("unknown parameter '" + key + "'");
      found->check(value);
      if (found->get() == value) continue;
      found->set(value);
      mended = next->mend(key);
      given.insert(key);
    }
    if (given.empty()) return true;
    next->resolve(given, folder);
    const auto running = runner_.simulation();
    next->build_request(runner_.backend()).check_memory(running ? running->bytes() : 0);
    replace_scene(std::move(next));
    undo_.push_back({active_scene_, before});
    redo_.clear();
    rebuild(fast_forward);
    tell(mended);
    return true;
  } catch (const Error& error) {
    tell(error.what(), true);
    return false;
  }
}

void Model::set_tracks(std::vector<std::string> tracks) {
  set("tracks", tracks);
  active_track = std::min(active_track, scene().tracks().size() - 1);
}

void Model::beside(const std::string& what, std::function<std::string()> work) {
  if (synchronous_) return tell(work());
  if (beside_.valid()) throw Error(beside_words_ + " is still under way");
  beside_words_ = what;
  beside_ = std::async(std::launch::async, std::move(work));
}

void Model::hear_beside() {
  if (!beside_.valid() || beside_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  beside_words_.clear();
  try {
    tell(beside_.get());
  } catch (const std::exception& error) {
    tell(error.what(), true);
  }
}

void Model::compute_results() {
  if (computing_.valid()) {
    if (computing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
      computed_ = computing_.get();
    } catch (const std::exception&) {
      // The runner ends, or the tracks are gone: there is nothing to say of them.
    }
  }
  const auto simulation = runner_.simulation();
  if (!simulation || playing || building() || runner_.busy()) return;
  const std::pair now{simulation->id(), simulation->version()};
  if (asked_results_ == now) return;
  asked_results_ = now;
  // A copy of its own: the window may change the scene meanwhile.
  const auto look = [this, id = simulation->id(), scene = std::shared_ptr<Scene>(scene().copy())] {
    return runner_.ask([&](Queue& queue, Simulation& tracks) {
      // Other tracks may have come meanwhile, of another scene.
      if (tracks.id() != id) return Computed{};
      return Computed{tracks.id(), tracks.version(), tracks.steps(), scene->results(tracks, queue)};
    });
  };
  if (synchronous_)
    computed_ = look();
  else
    computing_ = std::async(std::launch::async, look);
}

void Model::remove_track(std::size_t track) {
  auto tracks = scene().tracks();
  if (tracks.size() <= 1) return tell("one track must stay", true);
  tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(track));
  set_tracks(tracks);
  if (scene().tracks().size() != tracks.size()) return;
  if (view.baseline == track)
    view.baseline = 0;
  else if (view.baseline > track)
    --view.baseline;
  if (active_track > track) --active_track;
  // What is said of a track's threads goes with it.
  const auto gone = [&](Selection& at) {
    if (at.space == Selection::cell || at.space.empty()) return false;
    if (at.track == track) return true;
    if (at.track > track) --at.track;
    return false;
  };
  if (gone(picked)) picked = {};
  std::erase_if(view.pins, [&](Pin& pin) { return gone(pin.at); });
}

void Model::come_back(const Change& change) {
  active_scene_ = change.scene;
  restore(change.values);
  rebuild();
}

std::string Model::changes_since(const std::vector<Value>& before) {
  const auto parameters = scene().parameters();
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(before.size(), parameters.size()); ++i)
    if (const Value now = parameters[i].get(); now != before[i])
      words.push_back(parameters[i].title + " is " + (to_text(now).empty() ? "none" : to_text(now)));
  return join(words);
}

namespace {

/// A larger state is not kept for undo, and of so many strokes the oldest is forgotten.
constexpr std::uint64_t most_snapshot_cells = 1ull << 24;
constexpr std::ptrdiff_t most_strokes = 16;

}  // namespace

void Model::paint(std::vector<Cell> cells, std::uint8_t value, bool begins) {
  const auto simulation = runner_.simulation();
  if (!simulation || cells.empty()) return;
  std::shared_ptr<Snapshot> before;
  if (begins && volume(simulation->track(0).extent()) <= most_snapshot_cells) {
    before = std::make_shared<Snapshot>();
    before->history = runner_.history();
    const auto stroke = [](const Change& change) { return change.cells != nullptr; };
    if (std::count_if(undo_.begin(), undo_.end(), stroke) >= most_strokes)
      undo_.erase(std::find_if(undo_.begin(), undo_.end(), stroke));
    undo_.push_back({active_scene_, values(), before});
    redo_.clear();
  } else if (begins) {
    tell("a state this large is not kept for undo");
  }
  runner_.change(
      [cells = std::move(cells), value, before](Queue& queue, Simulation& tracks) {
        if (before) {
          before->cells = tracks.reference_track().need<Editable>().state(queue);
          before->step = tracks.steps();
        }
        tracks.write_cells(queue, cells, value);
      },
      "painted");
}

bool Model::paint_back(const Change& change, std::vector<Change>& other) {
  if (change.scene != active_scene_) {
    tell("the stroke belongs to a run that is gone", true);
    return false;
  }
  const auto now = std::make_shared<Snapshot>();
  now->history = runner_.history();
  other.push_back({change.scene, change.values, now});
  runner_.change_back(
      [to = change.cells, now](Queue& queue, Simulation& tracks) {
        now->cells = tracks.reference_track().need<Editable>().state(queue);
        now->step = tracks.steps();
        if (to->cells.size() == now->cells.size()) load(tracks, queue, to->cells, to->step);
      },
      change.cells->history);
  return true;
}

void Model::undo() {
  if (undo_.empty()) return;
  const Change change = undo_.back();
  undo_.pop_back();
  if (change.cells) {
    if (paint_back(change, redo_)) tell("undone: the stroke");
    return;
  }
  active_scene_ = change.scene;  // the values that are given up are of that scene
  redo_.push_back({change.scene, values()});
  come_back(change);
  tell("undone: " + changes_since(redo_.back().values));
}

void Model::redo() {
  if (redo_.empty()) return;
  const Change change = redo_.back();
  redo_.pop_back();
  if (change.cells) {
    if (paint_back(change, undo_)) tell("done again: the stroke");
    return;
  }
  active_scene_ = change.scene;
  undo_.push_back({change.scene, values()});
  come_back(change);
  tell("done again: " + changes_since(undo_.back().values));
}

std::uint64_t Model::most_warps(const Simulation& simulation) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const auto counts = counts_of(simulation.track(i));
    if (!counts) return 0;
    const std::uint64_t threads = volume(simulation.track(i).launches()[0].threads);
    most = std::max(most, counts->launched / threads * SoFar::warps_of(threads));
  }
  return most;
}

std::uint64_t Model::launched_warps(const Simulation& simulation) const {
  const std::uint64_t most = most_warps(simulation);
  if (view.launched >= 1 || most == 0) return SoFar::everything;
  return static_cast<std::uint64_t>(std::llround(view.launched * static_cast<double>(most)));
}

void Model::advance(double seconds) {
  if (launching) {
    constexpr double whole = 8;  // seconds
    view.launched = std::min(1., view.launched + std::max(1e-3, seconds) / whole);
    if (view.launched >= 1) launching = false;
  }
  if (morph_towards < 0) return;
  // A fifth of a second would be too fast to follow a block by eye.
  constexpr double per_second = 1 / 1.2;
  const double way = morph_towards - view.solid.morph, step = std::max(1e-3, seconds) * per_second;
  view.solid.morph =
      std::abs(way) <= step || synchronous_ ? morph_towards : view.solid.morph + std::copysign(step, way);
  if (view.solid.morph == morph_towards) morph_towards = -1;
}

void Model::update() {
  hear_beside();
  replaced_.clear();
  settle();
  compute_results();
  if (playing && !runner_.busy()) runner_.step(static_cast<unsigned>(steps_per_frame));
  if (const std::string error = runner_.error(); !error.empty() && !synchronous_) {
    tell(error, true);
    playing = false;
  }
}

std::optional<Target> Model::target_of(const Selection& selection) const {
  const auto simulation = shown_simulation();
  if (!simulation || selection.track >= simulation->size()) return std::nullopt;
  const auto* threads = simulation->track(selection.track).facet<Threads>();
  if (!threads) return std::nullopt;
  if (selection.space == Selection::cell) return Target{selection.at, threads->member(selection.at)};
  if (selection.space != Selection::thread && selection.space != Selection::block) return std::nullopt;
  // Of a pin, or of a scene text, it may be a thread that other tracks had.
  return threads->launched(selection.owner) ? threads->target(selection.owner) : std::nullopt;
}

bool shows(const Simulation& simulation, PictureInfo::Shape shape) {
  for (std::size_t i = 0; i < simulation.size(); ++i)
    for (const Picture* picture : simulation.track(i).pictures())
      if (picture->info().shape == shape) return true;
  return false;
}

Selected Model::selected_in(std::size_t track, const Selection& selection) const {
  const bool own = selection.space == Selection::cell || selection.track == track;
  return {selection, owner_in(track, selection), target_of(selection), own};
}

std::optional<Owner> Model::owner_in(std::size_t track, const Selection& selection) const {
  const auto simulation = shown_simulation();
  if (!simulation || track >= simulation->size()) return std::nullopt;
  const auto* threads = simulation->track(track).facet<Threads>();
  if ((selection.space == Selection::thread || selection.space == Selection::block) && selection.track == track)
    return threads && threads->launched(selection.owner) ? std::optional(selection.owner) : std::nullopt;
  const auto target = target_of(selection);
  Owner who;
  const Index3 block = simulation->track(track).launches()[0].threads;
  if (!target || !threads || !threads->comes_to(target->cell, block, who)) return std::nullopt;
  return who;
}

void select_scene(Model& model, const std::string& key, const std::vector<std::string>& commands) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.scenes_.size(); ++i) {
    if (model.scenes_[i]->key() == key) {
      model.active_scene_ = i;
      model.active_track = std::min(model.active_track, model.scene().tracks().size() - 1);
      return;
    }
    known.emplace_back(model.scenes_[i]->key());
  }
  known.insert(known.end(), commands.begin(), commands.end());
  throw UsageError(unknown_message(commands.empty() ? "scene" : "scene or command", key, known));
}

std::string next_track(Scene& scene) {
  for (const auto& kind : scene.track_kinds())
    if (std::find(scene.tracks().begin(), scene.tracks().end(), kind.name) == scene.tracks().end()) return kind.name;
  return scene.track_kinds()[0].name;
}

}  // namespace warploom
