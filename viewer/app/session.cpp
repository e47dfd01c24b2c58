#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gpu/core/files.h"
#include "gpu/own/registry.h"
#include "viewer/app/app.h"
#include "viewer/base/paths.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/small_scene.h"

namespace warploom {

namespace {

std::filesystem::path file_of(const Scene& scene) {
  return state_folder() / ("session-" + std::string(scene.key()) + ".toml");
}

/// Of a scene that was left once and is not any more. What Warploom did not write stays.
void remove_text_of(const Scene& scene) {
  const auto file = file_of(scene);
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(file)) &&
      read_file(file).starts_with(scene_text_head(scene)))
    std::filesystem::remove(file);
}

}  // namespace

void save_session(Model& model, const PanelState& panels, const std::string& front) {
  // What this user had here is theirs at the next start, whether it was compiled or not.
  for (const auto& names : {own_names(), own_rules()})
    for (const std::string& name : names) note_own_run(*find_own(name));
  try {
    make_folder(state_folder());
    write_atomically(state_folder() / "session.toml", front.empty() ? scene_text(model) : front);
    // The others, as they were left.
    const auto stands_behind = [&](const Scene& scene) {
      return &scene != &model.scene() && model.left.contains(scene.key());
    };
    for (const auto& scene : model.scenes())
      if (stands_behind(*scene)) write_atomically(file_of(*scene), model.left[scene->key()]);
    const auto& l = panels.layout;
    std::ostringstream layout;
    toml::array recent;
    for (const auto& path : panels.files.recent) recent.push_back(path);
    layout << toml::table{{"recent", recent},
                          {"left_width", l.left_width},
                          {"right_width", l.right_width},
                          {"editor_width", l.editor_width},
                          {"grid_height", l.grid_height},
                          {"plots_height", l.plots_height},
                          {"ui_scale", model.ui_scale},
                          {"linked", model.view.linked},
                          {"window_width", panels.window_width},
                          {"window_height", panels.window_height}}
           << "\n";
    write_atomically(state_folder() / "layout.toml", layout.str());
    for (const auto& scene : model.scenes())
      if (!stands_behind(*scene)) remove_text_of(*scene);
  } catch (const std::exception&) {
    // A folder that cannot be written is no reason to fail on quitting.
  }
}

namespace {

void restore_layout(Model& model, PanelState& panels, const std::filesystem::path& file) {
  const auto layout = toml::parse(read_file(file));
  const auto number = [&](const char* key, float& to, float low, float high) {
    const auto value = static_cast<float>(layout[key].value_or(double(to)));
    if (std::isfinite(value)) to = std::clamp(value, low, high);
  };
  number("left_width", panels.layout.left_width, 120, 800);
  number("right_width", panels.layout.right_width, 120, 800);
  number("editor_width", panels.layout.editor_width, 380, 1600);
  number("grid_height", panels.layout.grid_height, 0, 1200);
  number("plots_height", panels.layout.plots_height, 60, 1200);
  number("ui_scale", model.ui_scale, .5f, 3);
  model.view.linked = layout["linked"].value_or(true);
  if (const auto* recent = layout["recent"].as_array())
    for (const auto& path : *recent)
      if (path.is_string() && panels.files.recent.size() < FileDialogState::most_recent)
        panels.files.recent.push_back(path.value_or(std::string()));
  const auto side = [&](const char* key) {
    const auto value = layout[key].value_or(std::int64_t{0});
    return value >= 320 && value <= 16384 ? static_cast<int>(value) : 0;
  };
  panels.window_width = side("window_width");
  panels.window_height = side("window_height");
}

/// Calls read(file) for a file of the last session, if it is there. One that cannot be read, as it is of another
/// version or names a file that is gone, is left out alone and kept under another name: the one that is written at the
/// end does not take its place.
template <class Read>
void restore_file(Model& model, const std::string& name, Read&& read) {
  const auto file = state_folder() / (name + ".toml"), kept = state_folder() / (name + "-left-out.toml");
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return;
  try {
    read(file);
  } catch (const std::exception& error) {
    std::filesystem::rename(file, kept, failed);
    model.tell(std::string("a file of the last session is left out: ") + error.what() +
                   (failed ? "" : "; it is kept as " + kept.string()),
               true);
  }
}

/// Scenes that stood behind the one in front.
void restore_left(Model& model) {
  for (const auto& scene : model.scenes())
    restore_file(model, "session-" + std::string(scene->key()),
                 [&](const auto& file) { model.left[scene->key()] = read_file(file); });
}

}  // namespace

void restore_window(Model& model, PanelState& panels) {
  restore_file(model, "layout", [&](const auto& file) { restore_layout(model, panels, file); });
  restore_left(model);
  restore_file(model, "session", [&](const auto& file) {
    const std::string text = read_file(file);
    const auto front = toml::parse(text);
    if (const auto key = front["scene"].value<std::string>()) model.left[*key] = text;
    if (front["view"]["theme"].value_or(std::string()) == "light") model.view.theme = "light";
  });
}

std::uint64_t restore_session(Model& model, PanelState& panels) {
  std::uint64_t steps = 0;
  restore_file(model, "layout", [&](const auto& file) { restore_layout(model, panels, file); });
  bool restored = false;
  restore_file(model, "session", [&](const auto& file) {
    const LoadedScene loaded = read_scene_file(model, file);
    steps = loaded.steps <= most_replayed_steps ? loaded.steps : 0;
    restored = true;
  });
  if (!restored && model.starts_small) begin_small(model);
  restore_left(model);
  model.left.erase(model.scene().key());
  return steps;
}

}  // namespace warploom
