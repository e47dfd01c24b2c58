#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "tests/viewer/ui_driver.h"
#include "viewer/gl/key_taps.h"

// What every program's user expects of hovering, lists, palettes and file prompts. Each of these went wrong once.

namespace warploom {
namespace {

/// How much a window has drawn in the last frame.
int drawn_in(const std::string& window) {
  const auto lists = drawn_by(window);
  return lists.empty() ? 0 : lists[0]->VtxBuffer.Size;
}

/// The command that the palette would run.
std::string first_row(const Driver& d) {
  for (const auto& widget : d.ui.widgets)
    if (widget.path.starts_with("palette/") && widget.path != "palette/filter") return widget.path.substr(8);
  return "";
}

using UiHabits = DriverTest;

TEST_F(UiHabits, AHoverMarksEveryPictureInTheSameFrame) {
  d.enter("scene/level", "5");
  const std::vector<std::string> panes{"data A", "grid A", "data B", "grid B"};
  const Cell cell{0, 13, 0};  // of the gasket's left edge
  std::vector<ImVec2> places{d.cell_at(0, cell), d.cell_at(1, cell)};
  for (const std::size_t track : {0u, 1u}) {
    Owner who;
    ASSERT_TRUE(d.simulation().track(track).need<Threads>().owner(cell, who));
    places.push_back(d.thread_at(track, who));
  }
  for (const ImVec2& place : places) {
    d.move({800, 20});
    d.frames(2);
    ASSERT_TRUE(d.model.hover.empty());
    std::vector<int> before;
    for (const auto& pane : panes) before.push_back(drawn_in(pane));
    d.move(place);  // one frame
    ASSERT_FALSE(d.model.hover.empty());
    for (std::size_t i = 0; i < panes.size(); ++i) EXPECT_GT(drawn_in(panes[i]), before[i]) << panes[i];
  }
}

TEST_F(UiHabits, AHoverSnapsToTheNearestCell) {
  d.resize({1600, 1500});
  d.enter("scene/level", "5");
  const auto& threads = d.simulation().track(0).need<Threads>();
  const Cell cell{0, 16, 0}, empty{1, 16, 0};  // above and below it lie members, half a cell away
  ASSERT_TRUE(threads.member(cell));
  ASSERT_FALSE(threads.member(empty));
  const ImVec2 on = d.cell_at(0, cell), beside = d.cell_at(0, empty);
  const float pixels = beside.x - on.x;  // a cell's width; between the two it changes half way
  ASSERT_GT(pixels, 14);
  d.move({beside.x - pixels / 2 + 4, beside.y});
  EXPECT_EQ(d.model.hover.at, cell);
  d.move({beside.x - pixels / 2 + 9, beside.y});
  EXPECT_EQ(d.model.hover.at, empty);
}

TEST_F(UiHabits, AClickOnAFilteredRowRunsThatRow) {
  d.look_up("scene");
  ASSERT_TRUE(d.has("palette/copy_scene"));
  d.click("palette/copy_scene");
  EXPECT_EQ(d.model.clipboard_wanted, "copy");
  EXPECT_TRUE(d.model.path_prompt.empty()) << "the first row was not asked for";
}

TEST_F(UiHabits, AClickBesideThePaletteRunsNothing) {
  d.look_up("theme");
  d.click_at(Driver::centre(d.widget("data_A/picture")));
  d.frames(3);
  EXPECT_EQ(d.model.view.theme, "dark");
}

TEST_F(UiHabits, ArrowsAndEnterChooseInThePalette) {
  d.look_up("theme");
  ASSERT_EQ(first_row(d), "theme");
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_EQ(d.model.view.theme, "light");
  d.look_up("track");
  const auto tracks = d.model.scene().tracks().size();
  d.field_key(ImGuiKey_DownArrow);  // from "Add a track" to "Remove the active track"
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks().size(), tracks - 1);
}

#if IMGUI_VERSION_NUM < 18700
TEST_F(UiHabits, KeysThatAreTappedBetweenTwoFramesAreSeen) {
  ImGuiIO& io = ImGui::GetIO();
  gl::KeyTaps taps;
  taps.pressed(GLFW_KEY_LEFT_CONTROL);
  taps.pressed(GLFW_KEY_A);  // both are up again before the frame
  EXPECT_TRUE(taps.apply(io));
  EXPECT_TRUE(io.KeysDown[GLFW_KEY_A] && io.KeyCtrl);
  taps.pressed(GLFW_KEY_A);  // once more: it has to be seen to go up between
  EXPECT_TRUE(taps.apply(io));
  EXPECT_FALSE(io.KeysDown[GLFW_KEY_A] || io.KeyCtrl);
  EXPECT_TRUE(taps.apply(io));
  EXPECT_TRUE(io.KeysDown[GLFW_KEY_A]);
  EXPECT_FALSE(taps.apply(io));
  EXPECT_FALSE(io.KeysDown[GLFW_KEY_A]);
  io.KeysDown[GLFW_KEY_B] = true;  // held: the backend says when it goes up
  taps.pressed(GLFW_KEY_B);
  EXPECT_FALSE(taps.apply(io));
  EXPECT_TRUE(io.KeysDown[GLFW_KEY_B]);
  io.KeysDown[GLFW_KEY_B] = false;
}
#endif

TEST_F(UiHabits, ThePaletteRunsWhatWasMostLikelyMeant) {
  d.click("top/simplex");
  d.look_up("qq");
  EXPECT_EQ(first_row(d), "");
  d.field_key(ImGuiKey_Enter);  // nothing to run: the words can be typed on
  d.frames(3);
  EXPECT_TRUE(d.model.palette_open);
  d.field_key(ImGuiKey_Backspace);
  d.type("single");
  d.frames(2);
  EXPECT_EQ(first_row(d), "work_single_write") << "a preset of another scene";
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_STREQ(d.model.scene().key(), "simplex");
  EXPECT_EQ(d.shown("work"), "single_write");
}

TEST_F(UiHabits, ThePaletteFindsScenesMapsValuesAndWords) {
  const auto find = [&](const std::string& text, const std::string& row) {
    d.look_up(text);
    ASSERT_TRUE(d.has("palette/" + row)) << text;
    d.click("palette/" + row);
    d.frames(2);
    EXPECT_FALSE(d.model.palette_open);
  };
  find("carpet", "fractal_sierpinski_carpet");
  EXPECT_EQ(d.shown("fractal"), "sierpinski_carpet");
  find("table", "track_lambda_table");
  EXPECT_EQ(d.model.scene().tracks()[d.model.active_track], "lambda_table");
  find("seal", "word_seal");
  EXPECT_TRUE(d.model.glossary_open);
  EXPECT_EQ(d.state.glossary.text, "seal");
  d.key(escape);
  find("tet", "scene_simplex");
  EXPECT_STREQ(d.model.scene().key(), "simplex");
}

TEST_F(UiHabits, EscapeClosesAnOpenListAndNothingElse) {
  d.model.help_open = true;
  d.frames(1);
  d.model.help_open = false;
  d.click("scene/work");
  ASSERT_TRUE(d.has("scene/work/reduction"));
  d.model.help_open = true;
  d.key(escape);
  EXPECT_TRUE(d.model.help_open) << "the list was on top";
  EXPECT_FALSE(d.has("scene/work/reduction"));
  EXPECT_EQ(d.shown("work"), "life");
}

TEST_F(UiHabits, ArrowsAndEnterChooseInAList) {
  d.click("scene/work");
  const auto choices = d.parameter("work").choices;
  ASSERT_GT(choices.size(), 2u);
  d.field_key(ImGuiKey_DownArrow);
  d.field_key(ImGuiKey_DownArrow);
  EXPECT_EQ(d.shown("work"), choices[0].key) << "moving chooses nothing";
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_EQ(d.shown("work"), choices[2].key);
  EXPECT_FALSE(d.has("scene/work/" + choices[0].key)) << "it is closed";
}

TEST_F(UiHabits, AListThatBecomesShorterWhileItIsOpenChoosesOfWhatIsThere) {
  d.click("scene/block");
  for (int i = 0; i < 8; ++i) d.field_key(ImGuiKey_DownArrow);
  ASSERT_TRUE(d.model.set("fractal", std::string("sierpinski_carpet")));  // as a script does, or undo
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  const auto legal = d.parameter("block").legal();
  EXPECT_EQ(std::ranges::count(legal, std::get<std::int64_t>(d.parameter("block").get())), 1);
}

TEST_F(UiHabits, AnOpenListKeepsItsKeys) {
  const auto tracks = d.model.scene().tracks();
  d.click("scene/work");
  d.key('3');
  d.key('L');
  EXPECT_EQ(d.model.scene().tracks(), tracks);
}

TEST_F(UiHabits, NoPictureIsWrittenOverByAText) {
  std::ofstream(folder / "c.png") << "a picture";
  d.state.path_text = folder / "c.png";  // as after opening it
  d.key('S', control);
  EXPECT_EQ(d.state.path_text, std::string(folder / "c.toml")) << "a name of its own is proposed";
  d.enter("path/file", folder / "c.png");
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_FALSE(d.model.path_prompt.empty());
  std::string text;
  std::getline(std::ifstream(folder / "c.png"), text);
  EXPECT_EQ(text, "a picture");
}

TEST_F(UiHabits, BreakItIsOneStepOfUndo) {
  d.show_inexact("24");
  const auto before = d.model.values();
  d.model.view.solid.morph = 0;
  d.run("break_it");
  EXPECT_EQ(d.model.view.solid.morph, 1) << "cells are shown where they should work";
  EXPECT_NE(d.model.values(), before);
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(d.model.picked.space, Selection::cell);
  d.run("undo");
  EXPECT_EQ(d.model.values(), before);
}

TEST_F(UiHabits, AnotherFractalKeepsItsSizeNotItsLevel) {
  ASSERT_EQ(d.shown("level"), "8");  // of the gasket: 256 cells wide
  d.choose("scene/fractal", "sierpinski_carpet");
  EXPECT_EQ(d.shown("level"), "5");  // 243; at level 8 it would be 6 561
  EXPECT_NE(d.model.notice.find("level 5"), std::string::npos) << d.model.notice;
  d.run("undo");
  EXPECT_EQ(d.shown("level"), "8");
  EXPECT_EQ(d.shown("fractal"), "sierpinski_gasket");
}

}  // namespace
}  // namespace warploom
