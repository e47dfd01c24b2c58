#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/tracks/facets/editable.h"
#include "tests/files/files.h"
#include "viewer/model/commands.h"
#include "viewer/model/map_choice.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/teach/bare_window.h"
#include "viewer/teach/hand.h"
#include "viewer/teach/stage.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {

/// Codes of keys and modifiers, as the window has them.
inline constexpr int escape = 256, f1 = 290, f5 = 294, f6 = 295, shift = 1, control = 2;

/// Before the window that shows it.
struct DriverModel {
  Model model;
};

/// A user at the real panels over a renderer that draws nothing: finds widgets by their paths, moves a mouse, types,
/// and presses keys. The model runs on the CPU: at once, or, where it is not `synchronous`, on a thread of its own as
/// in the window.
class Driver : public DriverModel, public BareWindow {
 public:
  explicit Driver(ImVec2 size = {1600, 1200}, float scale = 1, const std::string& theme = "dark",
                  std::vector<std::unique_ptr<Scene>> scenes = make_scenes(), bool synchronous = true)
      : DriverModel{Model(Backend::cpu, synchronous, std::move(scenes))},
        BareWindow(themed(model, theme), size, scale) {
    model.machine.device = "test";
    model.machine.interop = "none";
    model.machine.headless = true;
    model.rebuild();
    frame();
    frame();
  }

  bool has(const std::string& path) const { return ui.find(path) != nullptr; }
  const ui::WidgetRecord& widget(const std::string& path) const {
    if (const auto* found = ui.find(path)) return *found;
    throw std::runtime_error("no widget " + path);
  }
  static ImVec2 centre(const ui::WidgetRecord& widget) {
    return {(widget.min.x + widget.max.x) / 2, (widget.min.y + widget.max.y) / 2};
  }

  void move(ImVec2 to) {
    ui::move_mouse(ImGui::GetIO(), to);
    frame();
  }
  void press(bool down) {
    ui::press_mouse(ImGui::GetIO(), 0, down);
    frame();
  }
  void click_at(ImVec2 at) {
    hand.click_at(at);
    play();
  }
  /// Scrolls until the widget can be reached, and clicks its centre.
  void click(const std::string& path) {
    hand.click(path);
    play();
  }
  void drag(ImVec2 from, ImVec2 to, int moves = 4) {
    rest();
    move(from);
    press(true);
    for (int i = 1; i <= moves; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(moves);
      move({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
    }
    press(false);
    frame();
  }
  void wheel(ImVec2 at, float notches) {
    move(at);
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddMouseWheelEvent(0, notches);
#else
    ImGui::GetIO().MouseWheel = notches;
#endif
    frame();
    frame();
  }
  void type(const std::string& text) {
    hand.type(text);
    play();
  }
  /// Types, and takes it with Enter.
  void answer(const std::string& text) {
    frames(2);
    type(text);
    field_key(ImGuiKey_Enter);
    frames(2);
  }
  /// Opens the palette, and types what it should find.
  void look_up(const std::string& words) {
    key('P', control | shift);
    frames(2);
    type(words);
    frames(2);
  }
  /// A key of the text field that has the focus.
  void field_key(ImGuiKey key) {
    hand.field_key(key);
    play();
  }
  /// Replaces what a field holds and takes it with Enter.
  void enter(const std::string& path, const std::string& text) {
    hand.enter(path, text);
    play();
  }
  /// Opens a combo and takes a choice.
  void choose(const std::string& path, const std::string& key) {
    click(path);
    click(path + "/" + key);
  }
  /// Another map and way for the active track, by the track's name.
  void choose_track(const std::string& name) {
    for (const MapChoice& choice : map_choices(model.scene()))
      for (const TrackInfo* way : choice.ways) {
        if (way->name != name) continue;
        choose("scene/map", choice.ways[0]->name);
        if (choice.ways.size() > 1) choose("scene/way", name);
        return;
      }
    throw std::runtime_error("no track " + name);
  }
  using Values = std::vector<std::pair<std::string, Value>>;
  /// Values of several parameters, as one change.
  void show(const Values& values) {
    if (!model.set(values)) throw std::runtime_error(model.notice);
    frames(3);
  }
  /// Another scene, with these values.
  void open(const std::string& scene, const Values& values = {}) {
    select_scene(model, scene);
    if (!model.set(values)) throw std::runtime_error(model.notice);
    model.rebuild();
    frames(3);
  }
  /// Figures are those of now.
  void refresh() {
    state.shown.at = -1;
    frames(2);
  }
  /// The simplices of side `n`, with an inexact map in track B.
  void show_inexact(const std::string& n) {
    click("top/simplex");
    enter("scene/n", n);
    click("scene/tracks/B");
    choose("scene/map", "root_fp32");
  }
  /// A key as the window hands it on.
  void key(int code, int modifiers = 0) {
    if (!find_command(code, modifiers)) throw std::runtime_error("no command has key " + std::to_string(code));
    if (const Command* command = pressed_command(model, code, modifiers, keys_of())) run(*command);
    if (code == 256) field_key(ImGuiKey_Escape);  // lists and fields know it by themselves
    frames(2);
  }
  /// A command, its errors told as the window tells them.
  void run(const Command& command) { carry_out(model, command); }
  void run(const std::string& name) {
    const Command* command = find_command(name);
    if (!command) throw std::runtime_error("no command " + name);
    run(*command);
    frames(2);
  }

  /// Where the middle of a data cell, or of a thread of a launch grid, is on the screen.
  ImVec2 cell_at(std::size_t track, Cell cell) { return plane(track, false).screen(cell.x + .5, cell.y + .5); }
  ImVec2 thread_at(std::size_t track, const Owner& who) {
    const LaunchShape shape = simulation().track(track).launches()[0];
    return plane(track, true)
        .screen(double(who.block.x) * shape.threads.x + who.thread.x + .5,
                double(who.block.y) * shape.threads.y + who.thread.y + .5);
  }
  /// Frames until nothing is built, read or run, of a model with a thread of its own.
  void settle() {
    for (int i = 0;
         i < 3000 && (model.building() || model.reading() || model.runner().busy() || model.runner().judging()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      frame();
    }
    frames(2);
  }

  /// A track's data space, or its launch grid at the side.
  Plane plane(std::size_t track, bool side) {
    const PanelContext panel{ui, model, state, model.runner().simulation(), nullptr, &wants};
    const auto& pane =
        widget((side ? "grid_" : "data_") + track_letter(*panel.simulation, track) + (side ? "/grid" : "/picture"));
    return plane_of(panel, {track, side, side, {pane.min, pane.max}}, *simulation().track(track).pictures()[side]);
  }

  Simulation& simulation() { return *model.runner().simulation(); }
  std::vector<std::uint8_t> state_of(std::size_t track) {
    return model.runner().ask(
        [&](Queue& queue, Simulation& tracks) { return tracks.track(track).need<Editable>().state(queue); });
  }
  std::uint64_t steps() { return simulation().steps(); }
  Parameter parameter(const std::string& key) {
    for (const auto& one : model.scene().parameters())
      if (one.key == key) return one;
    throw std::runtime_error("no parameter " + key);
  }
  Value value(const std::string& key) { return parameter(key).get(); }
  std::string shown(const std::string& key) { return to_text(value(key)); }
  bool seals_agree() { return std::ranges::all_of(simulation().status(), &TrackStatus::agrees); }

  Hand hand{model, ui};

 private:
  /// Long enough that the next click is not the second of a double one.
  void rest() {
    for (int i = 0; i < 2; ++i) frame(.5f);
  }
  void play() {
    while (!hand.idle()) {
      hand.next();
      frame(hand.seconds());
    }
  }
  static Model& themed(Model& model, const std::string& theme) {
    model.view.theme = theme;
    return model;
  }
};

/// A row of what a track tells of a place; empty: it does not tell it.
inline std::string row_of(const std::vector<std::pair<std::string, std::string>>& rows, const std::string& word) {
  for (const auto& [what, value] : rows)
    if (what == word) return value;
  return "";
}

/// What windows of this name drew in the finished frame.
inline std::vector<const ImDrawList*> drawn_by(const std::string& window) {
  const ImDrawData* data = ImGui::GetDrawData();
  std::vector<const ImDrawList*> lists;
  for (int i = 0; i < data->CmdListsCount; ++i)
    if (const char* owner = data->CmdLists[i]->_OwnerName; owner && window == owner) lists.push_back(data->CmdLists[i]);
  return lists;
}

/// A test with a driver as it starts, and a folder that goes with it.
struct DriverTest : testing::Test {
  TemporaryFolder folder;
  Driver d;
};

/// ... with what scripts, tours and puzzles act on.
struct StageTest : DriverTest {
  Hand hand{d.model, d.ui};
  ScriptStage stage{d.model, d.ui, d.state, hand, folder.path};
};

}  // namespace warploom
