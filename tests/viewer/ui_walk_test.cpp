#include <GLFW/glfw3.h>

#include <set>

#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

namespace warploom {
namespace {

using UiWalk = DriverTest;

TEST_F(UiWalk, EveryWidgetIsReached) {
  d.key(f6);
  ASSERT_TRUE(d.ui.walk.on);
  std::set<std::string> reached, wanted;
  for (const auto& widget : d.ui.widgets)
    if (widget.keyed) wanted.insert(widget.path);
  for (std::size_t i = 0; i <= wanted.size(); ++i) {
    reached.insert(d.ui.walk.at);
    EXPECT_TRUE(d.widget(d.ui.walk.at).visible || i == 0) << d.ui.walk.at << " should have come into view";
    d.field_key(ImGuiKey_Tab);
    d.frames(2);
  }
  for (const auto& path : wanted) EXPECT_TRUE(reached.contains(path)) << path;
  EXPECT_GT(wanted.size(), 20u);
}

TEST_F(UiWalk, ShiftTabGoesBack) {
  d.key(f6);
  d.frame();
  const std::string first = d.ui.walk.at;
  d.field_key(ImGuiKey_Tab);
  EXPECT_NE(d.ui.walk.at, first);
  ImGui::GetIO().KeyShift = true;
  d.field_key(ImGuiKey_Tab);
  ImGui::GetIO().KeyShift = false;
  EXPECT_EQ(d.ui.walk.at, first);
}

TEST_F(UiWalk, F6GoesFromPaneToPane) {
  d.key(f6);
  d.frames(2);
  const auto pane = [&] { return d.ui.walk.at.substr(0, d.ui.walk.at.find('/')); };
  const std::string first = d.ui.walk.at;
  std::vector<std::string> panes{pane()};
  for (int i = 0; i < 30; ++i) {
    d.key(f6);
    d.frame();
    ASSERT_NE(pane(), panes.back());
    if (d.ui.walk.at == first) break;
    panes.push_back(pane());
  }
  EXPECT_EQ(d.ui.walk.at, first) << "it comes around";
  EXPECT_EQ(std::set(panes.begin(), panes.end()).size(), panes.size());
  for (const char* wanted : {"top", "scene", "data_A", "grid_B"})
    EXPECT_EQ(std::ranges::count(panes, wanted), 1) << wanted << testing::PrintToString(panes);
  d.key(f6, GLFW_MOD_SHIFT);
  d.frame();
  EXPECT_EQ(pane(), panes.back());
  // Where something stands in a pane, F6 leaves it all the same.
  d.field_key(ImGuiKey_Tab);
  d.key(f6);
  d.frame();
  EXPECT_EQ(d.ui.walk.at, first);
  EXPECT_TRUE(d.model.walking);
  d.field_key(ImGuiKey_Escape);
  d.frame();
  EXPECT_FALSE(d.model.walking);
}

void walk_to(Driver& d, const std::string& path) {
  d.model.walking = true;
  d.frame();
  for (int i = 0; i < 200 && d.ui.walk.at != path; ++i) d.field_key(ImGuiKey_Tab);
  ASSERT_EQ(d.ui.walk.at, path);
}

TEST_F(UiWalk, EnterAndSpacePressButtons) {
  walk_to(d, "top/step");
  d.field_key(ImGuiKey_Enter);
  EXPECT_EQ(d.steps(), 1u);
  d.field_key(ImGuiKey_Space);
  EXPECT_EQ(d.steps(), 2u);
  EXPECT_FALSE(d.model.playing) << "Space is the widget's while the keyboard walks";
  const std::size_t tracks = d.model.scene().tracks().size();
  walk_to(d, "scene/tracks/add");
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks().size(), tracks + 1);
}

TEST_F(UiWalk, APaneOfCardsBeginsWithACard) {
  walk_to(d, "scene/tracks/A");
  d.field_key(ImGuiKey_Tab);
  EXPECT_EQ(d.ui.walk.at, "scene/tracks/A/remove");
}

TEST_F(UiWalk, AKeyThatIsACommandPressesNothing) {
  walk_to(d, "scene/tracks/B/remove");
  d.model.key_taken = true;  // Ctrl+Enter, say
  d.field_key(ImGuiKey_Enter);
  EXPECT_EQ(d.model.scene().tracks().size(), 2u);
}

TEST_F(UiWalk, ACardBecomesTheActiveTrack) {
  ASSERT_EQ(d.model.active_track, 0u);
  walk_to(d, "scene/tracks/B");
  d.field_key(ImGuiKey_Enter);
  EXPECT_EQ(d.model.active_track, 1u);
}

TEST_F(UiWalk, ADialogIsNotLeft) {
  d.state.files.folder = folder.path;
  d.key(f6);
  d.run("save_scene");
  d.frames(3);
  std::set<std::string> reached;
  for (int i = 0; i < 12; ++i) {
    d.field_key(ImGuiKey_Tab);
    d.frame();
    reached.insert(d.ui.walk.at);
  }
  EXPECT_TRUE(reached.contains("path/close"));
  for (const auto& path : reached) EXPECT_TRUE(path.starts_with("path/")) << path;
}

TEST_F(UiWalk, TheTextOfAFieldThatWentIsForgotten) {
  d.run("panels");
  d.run("save_scene");
  d.frames(2);
  d.type("x");
  d.run("close");
  d.frames(3);
  EXPECT_EQ(d.ui.edit.id, 0u);
  d.field_key(ImGuiKey_Tab);
  EXPECT_FALSE(d.ui.walk.on);
}

TEST_F(UiWalk, AListIsOpenedAndChosenFrom) {
  walk_to(d, "scene/map");
  const auto before = d.model.scene().tracks();
  d.field_key(ImGuiKey_Enter);
  d.frame();
  ASSERT_TRUE(d.has("scene/map/lambda_serial")) << "Enter opens the list, and does not choose from it at once";
  d.field_key(ImGuiKey_DownArrow);
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_FALSE(d.has("scene/map/lambda_serial"));
  EXPECT_NE(d.model.scene().tracks(), before);
  EXPECT_TRUE(d.ui.walk.on) << "the walk goes on from there";
}

TEST_F(UiWalk, TabTakesWhatWasTypedAndGoesOn) {
  d.click("scene/level");
  d.type("5");
  d.field_key(ImGuiKey_Tab);
  d.frames(2);
  EXPECT_EQ(d.shown("level"), "5");
  EXPECT_TRUE(d.ui.walk.on);
  EXPECT_NE(d.ui.walk.at, "scene/level");
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(UiWalk, AFieldIsTypedInto) {
  walk_to(d, "scene/level");
  d.field_key(ImGuiKey_Enter);
  d.answer("4");
  EXPECT_EQ(d.shown("level"), "4");
  EXPECT_EQ(d.ui.walk.at, "scene/level") << "and the keyboard is where it was";
}

TEST_F(UiWalk, ArrowsMoveASlider) {
  d.open("simplex");
  const auto slider = std::find_if(d.ui.widgets.begin(), d.ui.widgets.end(), [](const auto& w) {
    return w.label == "slider" && w.path.find("explode") != std::string::npos;
  });
  ASSERT_NE(slider, d.ui.widgets.end());
  const double before = d.model.view.solid.explode;
  walk_to(d, slider->path);
  d.field_key(ImGuiKey_RightArrow);
  EXPECT_GT(d.model.view.solid.explode, before);
  d.field_key(ImGuiKey_LeftArrow);
  EXPECT_NEAR(d.model.view.solid.explode, before, 1e-9);
}

TEST_F(UiWalk, EscapeEndsItAndCommandsAreTheirKeysAgain) {
  d.key(f6);
  d.key(escape);
  EXPECT_FALSE(d.ui.walk.on);
  d.key(' ');
  EXPECT_TRUE(d.model.playing);
}

using UiPresentation = DriverTest;

TEST_F(UiPresentation, ShowsPicturesAndTheVerdictAlone) {
  d.resize({1280, 720});
  for (int i = 0; i < 12; ++i) d.run("step");
  d.key(f5);
  EXPECT_FALSE(d.has("top/play"));
  EXPECT_FALSE(d.has("scene/level"));
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_TRUE(d.has("grid_A/grid")) << "a lecturer wants data and launch";
  EXPECT_GT(d.state.caption_height, 20);
  const auto grid = d.widget("grid_A/grid");
  EXPECT_LE(grid.max.y, 720 - d.state.caption_height + 1) << "the words cover no picture";
  const std::string text = scene_text(d.model);
  EXPECT_NE(text.find("presentation = 'on'"), std::string::npos) << text;
  d.key(escape);
  EXPECT_TRUE(d.has("top/play"));
  (void)read_scene_text(d.model, text, "text", std::filesystem::current_path());
  d.frames(2);
  EXPECT_TRUE(d.model.view.presentation);
}

using UiBaseline = DriverTest;

TEST_F(UiBaseline, RatiosAreAgainstTheTrackThatWasChosen) {
  d.run("add_track");
  for (int i = 0; i < 14; ++i) d.run("step");
  d.model.active_track = 1;
  d.run("baseline");  // at once: what stands beside "B : A" is never of another baseline
  const auto expected = d.simulation().ratio_to_baseline(0, 1);
  ASSERT_TRUE(expected);
  ASSERT_TRUE(d.state.shown.ratios[0]);
  EXPECT_DOUBLE_EQ(d.state.shown.ratios[0]->median, expected->median);
  EXPECT_DOUBLE_EQ(d.state.shown.ratios[1]->median, 1);
  const std::string text = scene_text(d.model);
  EXPECT_NE(text.find("baseline = 'B'"), std::string::npos) << text;
  d.model.view.baseline = 0;
  (void)read_scene_text(d.model, text, "text", std::filesystem::current_path());
  EXPECT_EQ(d.model.view.baseline, 1u);
  d.model.rebuild();
  d.frames(2);
  // It stays the track that it was when one before it goes, and is the first again when it goes itself.
  d.model.active_track = 0;
  d.run("remove_track");
  EXPECT_EQ(d.model.view.baseline, 0u);
  while (d.model.scene().tracks().size() < 4) d.run("add_track");
  const auto tracks = d.model.scene().tracks();
  d.model.view.baseline = 2;
  d.model.view.pins = {{{Selection::thread, {}, 3, {}}, "of the last"},
                       {{Selection::thread, {}, 1, {}}, "of the second"}};
  d.model.active_track = 1;
  d.run("remove_track");
  EXPECT_EQ(d.model.view.baseline, 1u) << "the same track, one place further up";
  EXPECT_EQ(d.model.scene().tracks()[1], tracks[2]);
  ASSERT_EQ(d.model.view.pins.size(), 1u) << "what was pinned on it goes with it";
  EXPECT_EQ(d.model.view.pins[0].at.track, 2u);
  d.model.active_track = 1;
  d.run("remove_track");
  EXPECT_EQ(d.model.view.baseline, 0u);
}

using UiTimings = DriverTest;

TEST_F(UiTimings, TheyCanBeStartedAnew) {
  for (int i = 0; i < 3; ++i) d.run("step");
  ASSERT_FALSE(d.simulation().timings().table().empty());
  const auto steps = d.steps();
  d.key(259, shift);  // Backspace
  EXPECT_TRUE(d.simulation().timings().table().empty());
  EXPECT_EQ(d.steps(), steps);
}

using UiResults = DriverTest;

TEST_F(UiResults, AreOfTheStepThatIsShown) {
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_EQ(d.model.computed().step, 3u);
  std::uint64_t alive = 0;
  for (const auto cell : d.state_of(0)) alive += cell;
  bool found = false;
  for (const auto& [name, value] : d.model.computed().results)
    if (name == "alive_cells") {
      found = true;
      EXPECT_EQ(std::get<std::uint64_t>(value), alive);
    }
  EXPECT_TRUE(found);
}

using UiSlowLaunch = DriverTest;

TEST_F(UiSlowLaunch, GoesByWarpsAndIsKept) {
  const std::uint64_t most = Model::most_warps(d.simulation());
  ASSERT_GT(most, 2u);
  EXPECT_EQ(d.model.launched_warps(d.simulation()), SoFar::everything);
  d.run("launch_on");
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 1u);
  d.run("launch_on");
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 2u);
  d.run("launch_back");
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 1u);
  const std::string text = scene_text(d.model);
  d.key(escape);
  EXPECT_EQ(d.model.launched_warps(d.simulation()), SoFar::everything);
  (void)read_scene_text(d.model, text, "text", ".");
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 1u);
  d.run("launch_back");
  d.run("slow_launch");
  EXPECT_TRUE(d.model.launching);
  const double before = d.model.view.launched;
  d.frames(3);
  EXPECT_GT(d.model.view.launched, before);
  for (const Want& want : d.wants) EXPECT_FALSE(want.request.so_far.all()) << "every picture shows how far it is";
  d.run("slow_launch");
  EXPECT_FALSE(d.model.launching);
}

using UiPins = DriverTest;

TEST_F(UiPins, ANoteIsPinnedKeptAndTakenOff) {
  d.run("pin");
  EXPECT_TRUE(d.model.notice_is_error) << "nothing is picked";
  d.key(escape);
  d.click_at(d.cell_at(0, {0, 0, 0}));
  ASSERT_FALSE(d.model.picked.empty());
  d.key('I');
  d.answer("the first cell");
  ASSERT_EQ(d.model.view.pins.size(), 1u);
  EXPECT_EQ(d.model.view.pins[0].words, "the first cell");
  const auto seen = [&] {
    int count = 0;
    for (const SeenText& text : TextReader().read()) count += text.words == "the first cell";
    return count;
  };
  EXPECT_EQ(seen(), 1) << "the note stands once, its ring in every track";
  const auto pins = d.model.view.pins;
  const std::string text = scene_text(d.model);
  d.model.view.pins.clear();
  (void)read_scene_text(d.model, text, "text", ".");
  EXPECT_EQ(d.model.view.pins, pins);
  d.model.rebuild();
  d.frames(2);
  d.model.picked = pins[0].at;
  d.run("pin");
  d.field_key(ImGuiKey_Backspace);  // all of it is selected
  d.field_key(ImGuiKey_Enter);
  d.frames(2);
  EXPECT_TRUE(d.model.view.pins.empty());
  EXPECT_EQ(seen(), 0);
}

/// The arrow keys move the pick, Shift by a block, Home and End to the ends.
TEST_F(UiWalk, PicksMoveByTheArrowKeys) {
  d.show({{"level", std::int64_t{4}}, {"block", std::int64_t{4}}});
  const auto picked = [&] { return selection_text(d.model.picked, d.model.scene().letters()); };
  walk_to(d, "data_A/picture");
  d.field_key(ImGuiKey_RightArrow);
  EXPECT_EQ(picked(), "cell:0,0");
  for (int i = 0; i < 2; ++i) d.field_key(ImGuiKey_RightArrow);
  for (int i = 0; i < 10; ++i) d.field_key(ImGuiKey_DownArrow);
  EXPECT_EQ(picked(), "cell:2,10");
  EXPECT_EQ(d.ui.walk.at, "data_A/picture");
  ImGui::GetIO().KeyShift = true;
  d.field_key(ImGuiKey_RightArrow);
  ImGui::GetIO().KeyShift = false;
  EXPECT_EQ(picked(), "cell:6,10");
  d.field_key(ImGuiKey_End);
  EXPECT_EQ(picked(), "cell:15,15");
  d.field_key(ImGuiKey_RightArrow);
  EXPECT_EQ(picked(), "cell:15,15");
  walk_to(d, "grid_A/grid");
  d.field_key(ImGuiKey_RightArrow);
  d.field_key(ImGuiKey_Home);
  for (int i = 0; i < 5; ++i) d.field_key(ImGuiKey_RightArrow);
  d.field_key(ImGuiKey_DownArrow);
  EXPECT_EQ(picked(), "thread:A:1,0:1,1");
  d.field_key(ImGuiKey_Escape);
  EXPECT_FALSE(d.ui.walk.on);
}

TEST_F(UiWalk, PicksOfOtherSpacesMoveToo) {
  Queue questions(Backend::cpu, true, 1);
  d.questions = &questions;
  for (const auto& [scene, values] : {std::pair<const char*, Driver::Values>{"butterfly", {{"n", std::int64_t{4}}}},
                                      {"bins", {{"input", std::string("150")}}},
                                      {"simplex", {{"n", std::int64_t{12}}}}}) {
    d.open(scene, values);
    d.run("step");
    d.model.picked = {};
    walk_to(d, "data_A/picture");
    std::set<std::string> picks;
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow,
                               ImGuiKey_LeftArrow, ImGuiKey_RightArrow}) {
      d.field_key(key);
      picks.insert(selection_text(d.model.picked, d.model.scene().letters()));
    }
    picks.erase("");
    EXPECT_GE(picks.size(), 2u) << scene;
    d.model.walking = false;
    d.frame();
  }
}

}  // namespace
}  // namespace warploom
