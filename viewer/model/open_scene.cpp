#include "viewer/model/own_texts.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/small_scene.h"

#include <utility>

namespace warploom {

namespace {

/// It has tracks, or will have them: there is something to come back to.
bool stands(Model& model) { return model.runner().simulation() || model.building(); }

void show_now(Model& model, const std::string& key, const EditedState& edited) {
  if (model.scene().key() == key) return;
  if (stands(model)) model.left[model.scene().key()] = scene_text(model, {}, &edited);
  const auto was = model.left.find(key);
  if (was == model.left.end()) {
    select_scene(model, key);
    if (model.starts_small) begin_small(model);
    model.rebuild();
    return;
  }
  const WindowSettings window = model.view;
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
  static_cast<WindowSettings&>(model.view) = window;
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
    const std::string left = stands(model) ? scene_text(model, {}, &edited) : std::string();
    LoadedScene loaded;
    try {
      loaded = read();
    } catch (const UntrustedCode& error) {
      // In a window the user is asked. What they say is of the texts that were shown: the file may be another by then.
      if (model.trust != OwnTrust::known) throw;
      model.tell(error.what(), true);
      model.offer = {"Run its code", [&model, what, read, texts = error.texts] {
                       for (const OwnSource& text : texts) note_own_run(text);
                       open_scene(model, what, read);
                     }};
      return;
    }
    model.remember(before);
    if (key != model.scene().key() && !left.empty()) model.left[key] = left;
    model.start(loaded.steps);
    model.tell(loaded.warning.empty() ? what : loaded.warning, !loaded.warning.empty());
  });
}

}  // namespace warploom
