#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

namespace warploom {
namespace {

using UiDialogs = DriverTest;

TEST_F(UiDialogs, HelpOpensAndCloses) {
  d.key('H');
  EXPECT_TRUE(d.has("help/close"));
  d.key(escape);
  EXPECT_FALSE(d.has("help/close"));
  d.key(f1);
  d.click("help/close");
  EXPECT_FALSE(d.model.help_open);
}

TEST_F(UiDialogs, ThePaletteFiltersAndRuns) {
  d.key('P', control | shift);
  ASSERT_TRUE(d.has("palette/filter"));
  const auto commands = [&] {
    return std::count_if(d.ui.widgets.begin(), d.ui.widgets.end(),
                         [](const auto& w) { return w.path.starts_with("palette/"); });
  };
  const auto all = commands();
  d.click("palette/filter");
  d.type("THEME");
  d.frames(2);
  EXPECT_LT(commands(), all);
  ASSERT_TRUE(d.has("palette/theme"));
  if (d.model.palette_open) d.click("palette/theme");
  EXPECT_EQ(d.model.view.theme, "light");
  EXPECT_FALSE(d.model.palette_open);
}

TEST_F(UiDialogs, WhatWasTypedIntoAPaletteThatWasClosedRunsNothingLater) {
  const auto tracks = d.model.scene().tracks();
  d.look_up("trac");
  d.key(escape);  // the window's "close", while a field has the focus too
  d.frames(2);
  ASSERT_FALSE(d.model.palette_open);
  d.run("palette");
  d.frames(3);
  EXPECT_TRUE(d.model.palette_open);
  EXPECT_EQ(d.model.scene().tracks(), tracks);
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), tracks) << "an empty filter runs nothing";
}

TEST_F(UiDialogs, AHintKeepsClearOfTheCaret) {
  d.look_up("");
  const float caret = d.widget("palette/filter").min.x + ImGui::GetStyle().FramePadding.x;
  std::optional<float> hint;
  for (const SeenText& text : TextReader().read())
    if (text.words.find("command, scene") != std::string::npos) hint = text.min.x;
  ASSERT_TRUE(hint);
  EXPECT_GT(*hint, caret + 3);
}

TEST_F(UiDialogs, EveryCommandIsInThePalette) {
  d.run("palette");
  int applied = 0;
  for (const auto& command : all_commands()) {
    EXPECT_EQ(d.has("palette/" + command.name), applies(d.model, command)) << command.name;
    applied += applies(d.model, command);
  }
  EXPECT_GT(applied, 30);
}

TEST_F(UiDialogs, ThePaletteHasWhatAppliesToTheScene) {
  d.run("palette");
  for (const char* solids : {"slice", "waste", "time_maps", "break_it"})
    EXPECT_FALSE(d.has(std::string("palette/") + solids)) << solids << " does nothing in a plane";
  EXPECT_TRUE(d.has("palette/paint"));
  const int axis = d.model.view.solid.slice_axis;
  d.run("palette");
  d.key('X');
  d.frames(3);
  EXPECT_EQ(d.model.view.solid.slice_axis, axis) << "a key without an effect must leave nothing for later";
  d.open("simplex");
  d.run("palette");
  for (const char* solids : {"morph", "slice", "waste", "time_maps"})
    EXPECT_TRUE(d.has(std::string("palette/") + solids)) << solids;
  EXPECT_FALSE(d.has("palette/paint")) << "solids are not painted";
}

TEST_F(UiDialogs, ABadFileIsRefusedAndNothingChanges) {
  d.run("step");
  const auto before = d.model.values();
  std::ofstream(folder / "bad.toml") << "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 99\n";
  std::ofstream(folder / "text.png") << "no picture";
  for (const std::string& file : {folder / "absent.toml", folder / "bad.toml", folder / "text.png"}) {
    SCOPED_TRACE(file);
    d.key('O', control);
    ASSERT_TRUE(d.has("path/file"));
    d.answer(file);
    EXPECT_TRUE(d.model.notice_is_error);
    EXPECT_NE(d.model.notice.find(file), std::string::npos) << d.model.notice;
    EXPECT_EQ(d.model.values(), before);
    EXPECT_EQ(d.steps(), 1u);
    while (!d.model.path_prompt.empty() || !d.model.notice.empty()) d.key(escape);
  }
}

TEST_F(UiDialogs, SavedAndOpenedAgainIsTheSame) {
  d.enter("scene/level", "5");
  d.enter("scene/rule", "B36/S23");
  d.enter("scene/seed", "123");
  d.choose("scene/map", "lambda_serial");
  for (int i = 0; i < 7; ++i) d.run("step");
  const auto values = d.model.values();
  const Seal seal = d.simulation().status()[0].seal;
  const auto prompt = [&](int key) {
    d.key(key, control);
    d.answer(folder / "scene.toml");
    EXPECT_TRUE(d.model.path_prompt.empty());
    EXPECT_FALSE(d.model.notice_is_error) << d.model.notice;
    while (!d.model.notice.empty()) d.key(escape);
  };
  prompt('S');
  ASSERT_TRUE(std::filesystem::exists(folder / "scene.toml"));
  d.enter("scene/level", "3");
  d.enter("scene/seed", "9");
  prompt('O');
  EXPECT_EQ(d.model.values(), values);
  EXPECT_EQ(d.steps(), 7u);
  EXPECT_EQ(d.simulation().status()[0].seal.hash, seal.hash);
  EXPECT_TRUE(d.seals_agree());
}

TEST_F(UiDialogs, AnErrorIsClosedByItsCross) {
  d.enter("scene/rule", "nonsense");
  ASSERT_TRUE(d.has("notice/close"));
  d.click("notice/close");
  EXPECT_FALSE(d.has("notice/close"));
}

TEST_F(UiDialogs, TheWindowIsUsableWhileANoticeIsShown) {
  d.model.tell("a note", false);
  d.frames(2);
  d.click("scene/map");
  EXPECT_TRUE(d.has("scene/map/lambda_serial")) << "a combo closes at once while a notice is shown";
  d.key(escape);
  d.model.tell("a note", true);
  d.enter("scene/seed", "42");
  EXPECT_EQ(d.shown("seed"), "42") << "a field cannot be typed into while a notice is shown";
  d.model.tell("a note", false);
  const ImVec2 at = Driver::centre(d.widget("data_A/picture"));
  d.drag(at, {at.x + 80, at.y});
  EXPECT_NE(d.model.view.data[0].x, .5) << "a picture cannot be dragged while a notice is shown";
}

TEST_F(UiDialogs, EscapeClosesTheTopmostAndNeverQuits) {
  d.click_at(Driver::centre(d.widget("data_A/picture")));
  d.model.tool = Model::Tool::draw;
  d.model.tell("something");
  d.model.help_open = true;
  d.model.palette_open = true;
  d.model.path_prompt = "open";
  d.frames(2);
  d.key(escape);
  EXPECT_TRUE(d.model.path_prompt.empty());
  EXPECT_TRUE(d.model.palette_open);
  d.key(escape);
  EXPECT_FALSE(d.model.palette_open);
  EXPECT_TRUE(d.model.help_open);
  d.key(escape);
  EXPECT_FALSE(d.model.help_open);
  EXPECT_FALSE(d.model.notice.empty());
  d.key(escape);
  EXPECT_TRUE(d.model.notice.empty());
  EXPECT_EQ(d.model.tool, Model::Tool::draw);
  d.key(escape);
  EXPECT_EQ(d.model.tool, Model::Tool::look);
  for (int i = 0; i < 3; ++i) d.key(escape);
  EXPECT_FALSE(d.model.quit);
  d.key('Q', control);
  EXPECT_TRUE(d.model.quit);
}

using UiCommands = DriverTest;

TEST_F(UiCommands, KeysBelongToAFocusedField) {
  d.click("scene/rule");
  d.frames(2);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  d.key(' ');
  d.key('L');
  EXPECT_FALSE(d.model.playing);
  EXPECT_EQ(d.simulation().size(), 2u);
}

TEST(UiCommandsEach, EveryCommandRunsFromEveryState) {
  for (const bool wide : {true, false}) {
    Driver d;
    d.enter("scene/level", wide ? "5" : "0");
    if (wide)
      for (int i = 0; i < 2; ++i) d.run("add_track");
    for (const auto& command : all_commands()) {
      SCOPED_TRACE(command.name);
      EXPECT_NO_THROW(d.run(command.name));
      EXPECT_GE(d.simulation().size(), 1u);
      EXPECT_LE(d.simulation().size(), 4u);
      EXPECT_TRUE(d.seals_agree());
      EXPECT_EQ(d.model.quit, command.name == "quit");
      d.model.quit = false;
      d.model.help_open = d.model.palette_open = d.model.playing = false;
      d.model.path_prompt.clear();
      d.model.notice.clear();
    }
  }
}

TEST_F(UiCommands, NamesAndKeysAreUnique) {
  for (const auto& one : all_commands())
    for (const auto& other : all_commands()) {
      if (&one == &other) continue;
      EXPECT_NE(one.name, other.name);
      EXPECT_FALSE(one.key && one.key == other.key && one.modifiers == other.modifiers)
          << one.name << ", " << other.name;
    }
}

}  // namespace
}  // namespace warploom
