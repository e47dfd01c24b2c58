#include "viewer/model.h"

#include <algorithm>

#include "gpu/core/nearest.h"

namespace warploom {

Model::Model(Backend backend, bool synchronous)
    : folder(std::filesystem::current_path()),
      scenes_(make_scenes()),
      runner_(backend, synchronous),
      synchronous_(synchronous) {}

void Model::tell(const std::string& text, bool error) {
  notice = text;
  notice_is_error = error;
}

void Model::rebuild(std::uint64_t fast_forward) {
  runner_.build(scene().build_request(runner_.backend()), fast_forward);
}

std::vector<Value> Model::values() {
  std::vector<Value> all;
  for (const auto& parameter : scene().parameters()) all.push_back(parameter.get());
  return all;
}

void Model::restore(const std::vector<Value>& values) {
  const auto parameters = scene().parameters();
  std::set<std::string> given;
  for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
    parameters[i].set(values[i]);
    given.insert(parameters[i].key);
  }
  scene().resolve(given, folder);
  active_lane = std::min(active_lane, scene().lanes().size() - 1);
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

void Model::remember(std::vector<Value> before) {
  undo_.push_back(std::move(before));
  redo_.clear();
}

bool Model::set(const std::string& key, const Value& value) {
  const auto before = values();
  try {
    std::string mended;
    const auto parameters = scene().parameters();
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.key == key; });
    if (found == parameters.end()) throw UsageError("unknown parameter '" + key + "'");
    found->check(value);
    if (found->get() == value) return true;
    found->set(value);
    mended = scene().mend(key);
    scene().resolve({key}, folder);
    scene().build_request(runner_.backend()).check_memory(runner_.simulation() ? runner_.simulation()->bytes() : 0);
    undo_.push_back(before);
    redo_.clear();
    rebuild();
    tell(mended);
    return true;
  } catch (const Error& error) {
    restore(before);
    tell(error.what(), true);
    return false;
  }
}

void Model::set_lanes(std::vector<std::string> lanes) {
  set("lanes", lanes);
  active_lane = std::min(active_lane, scene().lanes().size() - 1);
}

void Model::undo() {
  if (undo_.empty()) return;
  redo_.push_back(values());
  restore(undo_.back());
  undo_.pop_back();
  rebuild();
  tell("undone");
}

void Model::redo() {
  if (redo_.empty()) return;
  undo_.push_back(values());
  restore(redo_.back());
  redo_.pop_back();
  rebuild();
  tell("done again");
}

void Model::update() {
  if (playing && !runner_.busy()) runner_.step(static_cast<unsigned>(steps_per_frame));
  if (const std::string error = runner_.error(); !error.empty() && !synchronous_) {
    tell(error, true);
    playing = false;
  }
}

std::optional<Lane::Target> Model::target_of(const Selection& selection) const {
  const auto simulation = runner_.simulation();
  if (!simulation) return std::nullopt;
  if (selection.space == Selection::Space::cell)
    return Lane::Target{selection.cell, simulation->lane(0).member(selection.cell)};
  if (selection.space == Selection::Space::none || selection.lane >= simulation->size()) return std::nullopt;
  return simulation->lane(selection.lane).target(selection.owner);
}

std::optional<Owner> Model::owner_in(std::size_t lane, const Selection& selection) const {
  const auto simulation = runner_.simulation();
  if (!simulation || lane >= simulation->size()) return std::nullopt;
  if ((selection.space == Selection::Space::thread || selection.space == Selection::Space::block) &&
      selection.lane == lane)
    return selection.owner;
  const auto target = target_of(selection);
  Owner who;
  if (!target || !simulation->lane(lane).owner(target->cell, who)) return std::nullopt;
  return who;
}

void select_scene(Model& model, const std::string& key) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.scenes_.size(); ++i) {
    if (model.scenes_[i]->key() == key) {
      model.active_scene_ = i;
      return;
    }
    known.emplace_back(model.scenes_[i]->key());
  }
  for (const char* command : {"view", "run", "bench", "list", "doctor"}) known.emplace_back(command);
  throw UsageError(unknown_message("scene or command", key, known));
}

std::string next_lane(Scene& scene) {
  for (const auto& kind : scene.lane_kinds())
    if (std::find(scene.lanes().begin(), scene.lanes().end(), kind.name) == scene.lanes().end()) return kind.name;
  return scene.lane_kinds()[0].name;
}

}  // namespace warploom
