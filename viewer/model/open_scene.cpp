#include "viewer/model/scene_text.h"

#include <utility>

namespace warploom {

namespace {

/// Resets what belongs to the scene: cameras, selection, notes. Theme, colours and panels are the window's.
void forget_view(Model& model) {
  const ViewSettings fresh;
  model.view.data = fresh.data;
  model.view.grid = fresh.grid;
  model.view.orbit_data = fresh.orbit_data;
  model.view.orbit_grid = fresh.orbit_grid;
  model.view.pins = fresh.pins;
  model.view.baseline = fresh.baseline;
  model.view.launched = fresh.launched;
  model.view.solid = fresh.solid;
  model.morph_towards = -1;
  model.launching = false;
  model.picked = {};
}

void show_now(Model& model, const std::string& key, const EditedState& edited) {
  if (model.scene().key() == key) return;
  if (model.runner().simulation()) model.left[model.scene().key()] = scene_text(model, {}, &edited);
  forget_view(model);
  const auto was = model.left.find(key);
  if (was == model.left.end()) {
    select_scene(model, key);
    model.rebuild();
    return;
  }
  const ViewSettings window = model.view;
  LoadedScene loaded;
  try {
    loaded = read_scene_text(model, was->second, key, model.folder);
  } catch (const Error& error) {
    // One of its files is gone: show its defaults.
    const std::string why = error.what();
    model.left.erase(was);
    select_scene(model, key);
    for (auto& fresh : make_scenes())
      if (fresh->key() == key) model.replace_scene(std::move(fresh));
    model.rebuild();
    model.tell(why, true);
    return;
  }
  model.view.theme = window.theme;
  model.view.colormap = window.colormap;
  model.view.panels = window.panels;
  model.view.folded = window.folded;
  model.view.presentation = window.presentation;
  model.view.one_scale = window.one_scale;
  model.view.motion = window.motion;
  const bool replayed = loaded.steps <= most_replayed_steps;
  model.start(replayed ? loaded.steps : 0);
  if (!replayed) model.tell("shows the start: " + std::to_string(loaded.steps) + " steps are too many to replay");
  if (!loaded.warning.empty()) model.tell(loaded.warning, true);
}

}  // namespace

void show_scene(Model& model, const std::string& key) {
  if (model.scene().key() == key) return;
  model.playing = false;
  with_edited_state(model, [&model, key](const EditedState& edited) { show_now(model, key, edited); });
}

void open_scene(Model& model, const std::string& what, std::function<LoadedScene()> read) {
  with_edited_state(model, [&model, what, read = std::move(read)](const EditedState& edited) {
    const auto before = model.before();
    const std::string key = model.scene().key();
    const std::string left = model.runner().simulation() ? scene_text(model, {}, &edited) : std::string();
    const LoadedScene loaded = read();
    model.remember(before);
    if (key != model.scene().key() && !left.empty()) model.left[key] = left;
    model.start(loaded.steps);
    model.tell(loaded.warning.empty() ? what : loaded.warning, !loaded.warning.empty());
  });
}

}  // namespace warploom
