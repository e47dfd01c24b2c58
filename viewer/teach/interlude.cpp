#include "viewer/teach/interlude.h"

#include <algorithm>
#include <utility>

#include "viewer/model/scene_text.h"

namespace warploom {

void take_text(Model& model, const std::string& text, const std::filesystem::path& folder) {
  const WindowSettings window = model.view;
  // What a text leaves out is what it does not have.
  model.picked = {};
  const auto& by_lines = model.teaching.before_lines;
  const WindowSettings usual;
  if (by_lines.theme) model.view.theme = usual.theme;
  if (by_lines.motion) model.view.motion = usual.motion;
  if (by_lines.presentation) model.view.presentation = usual.presentation;
  const LoadedScene loaded = read_scene_text(model, text, "tour", folder);
  // The window is the user's, but for what lines of a tour changed: that is of the text.
  if (!by_lines.theme) model.view.theme = window.theme;
  if (!by_lines.motion) model.view.motion = window.motion;
  if (!by_lines.presentation) model.view.presentation = window.presentation;
  model.view.overlay = window.overlay;  // no text has it
  const bool replayed = loaded.steps <= most_replayed_steps;
  model.start(replayed ? loaded.steps : 0);
  if (!replayed) model.tell("shows the start: " + std::to_string(loaded.steps) + " steps are too many to replay");
  if (!loaded.warning.empty()) model.tell(loaded.warning, true);
}

void Interlude::begin(Model& model, const std::string& scene, const std::filesystem::path& folder,
                      std::function<std::unique_ptr<Scene>()> prepare) {
  model.playing = false;
  with_edited_state(model, [this, &model, scene, folder, prepare = std::move(prepare)](const EditedState& edited) {
    had_tracks_ = model.runner().simulation() || model.building();
    text_ = had_tracks_ ? scene_text(model, {}, &edited) : std::string();
    kept_ = model.keep();
    left_ = std::exchange(model.left, {});
    history_ = model.exchange_history(nullptr);
    select_scene(model, scene);
    std::unique_ptr<Scene> fresh;
    if (prepare) {
      fresh = prepare();
    } else {
      for (auto& one : make_scenes())
        if (one->key() == scene) fresh = std::move(one);
    }
    model.replace_scene(std::move(fresh));
    ViewSettings view;
    view.theme = model.view.theme;
    view.motion = model.view.motion;
    view.colormap = model.view.colormap;
    model.view = view;
    model.picked = {};
    model.active_track = 0;
    model.folder = folder;
    had_editor_ = std::exchange(model.editing.open, false);
    had_words_ = std::exchange(model.teaching.words_open, false);
    model.start(0);
    (void)model.exchange_history(nullptr);
  });
}

void Interlude::end(Model& model) {
  model.playing = model.launching = false;
  const auto before = std::exchange(model.teaching.before_lines, {});
  const std::string theme = before.theme.value_or(model.view.theme);
  const bool motion = before.motion.value_or(model.view.motion);
  Model::Kept kept;  // copies: a failure below must leave something to come back to
  for (const auto& scene : kept_.scenes) kept.scenes.push_back(scene->copy());
  kept.active = kept_.active;
  kept.seen = kept_.seen;
  model.bring_back(kept);
  model.left = left_;
  model.guarded([&] {
    if (had_tracks_) take_text(model, text_, kept_.seen.folder);
  });
  if (had_tracks_ && !model.building() && !model.runner().simulation()) model.guarded([&] { model.start(0); });
  model.view.theme = theme;
  model.view.motion = motion;
  (void)model.exchange_history(history_);
  model.editing.open = had_editor_;
  model.teaching.words_open = had_words_;
  model.teaching.marks.clear();
  model.teaching.said.clear();
  model.teaching.hover = {};
  model.teaching.strip = {};
  model.teaching.wish = TourWish::none;
}

}  // namespace warploom
