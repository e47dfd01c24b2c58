#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/all.h"
#include "tests/sanitized.h"
#include "tests/viewer/ui_glyphs.h"
#include "tests/viewer/ui_seen_marks.h"
#include "viewer/model/figures.h"

// Points of a newcomer's walk through the window that have no test elsewhere.

namespace warploom {
namespace {

/// Where words that begin so stand on the screen; below 0: nowhere.
float height_of(const std::string& begin) {
  for (const SeenText& text : TextReader().read())
    if (text.words.starts_with(begin)) return text.min.y;
  return -1;
}
using UiPoints = DriverTest;

TEST_F(UiPoints, BreakItInATriangleSelectsTheWrongBlockAndGoesThere) {
  if (sanitized) GTEST_SKIP() << "ten million cells";
  d.show_inexact("96");
  d.model.set("domain", std::string("triangle"));
  d.model.set_tracks({"bounding_box", "root_fp32"});
  d.model.active_track = 1;
  d.run("break_it");
  ASSERT_EQ(d.model.picked.space, Selection::cell);
  const auto wrong = d.simulation().track(1).need<FailureFacet>().first_wrong();
  EXPECT_EQ(d.model.picked.at, (Cell{wrong.block.x, wrong.block.y, 0}));
  EXPECT_GT(d.model.view.data[1].zoom, 10) << "a block of one cell must be seen";
  const ImVec2 at = d.cell_at(1, d.model.picked.at);
  const auto& pane = d.widget("data_B/picture");
  EXPECT_TRUE(at.x > pane.min.x && at.x < pane.max.x && at.y > pane.min.y && at.y < pane.max.y);
}

TEST_F(UiPoints, FewStepsHaveNoInterval) {
  Ratio ratio;
  ratio.median = 1.48, ratio.low = 1.2, ratio.high = 1.7, ratio.pairs = 3;
  EXPECT_EQ(ratio_text(ratio), "1.48\u00d7  3 steps only");
  ratio.pairs = 1;
  EXPECT_EQ(ratio_text(ratio), "1.48\u00d7  1 step only");
  ratio.pairs = 30;
  EXPECT_EQ(ratio_text(ratio), "1.48\u00d7  [1.20, 1.70]");
  EXPECT_EQ(counted(1, "block"), "1 block");
  EXPECT_EQ(counted(2, "block"), "2 blocks");
}

TEST_F(UiPoints, TheFirstSampleIsInItsPlot) {
  d.resize({1440, 900});
  EXPECT_TRUE(says("no samples yet"));
  d.run("step");
  d.refresh();
  EXPECT_FALSE(says("no samples yet"));
}

TEST_F(UiPoints, AViewOfWhatIsNotThereIsLeftOut) {
  const auto read = [&](const std::string& view) {
    const std::string tracks = "[parameters]\ntracks = [\"bounding_box\", \"lambda_serial\"]\n";
    const std::string text = "schema = 1\nscene = \"fractal\"\n" + tracks + "[view]\n" + view + "\n";
    return read_scene_text(d.model, text, "text", "").warning;
  };
  expect_parts(read("baseline = \"C\""), {"2 tracks"});
  expect_parts(read("pictures = [\"data\", \"lunch\"]"), {"did you mean 'launch'"});
  d.model.view.solid.morph = .25;
  EXPECT_EQ(read("baseline = \"D\""), "view.baseline 'D': the scene has 2 tracks; it is left out");
  EXPECT_EQ(d.model.view.baseline, 0u);
  EXPECT_EQ(read("baseline = \"B\"\npictures = [\"launch\", \"data\"]"), "");
  EXPECT_EQ(d.model.view.solid.morph, 1) << "a text that says nothing of it has its cells where they work";
}

TEST_F(UiPoints, FiguresAreCopiedWithWhatTheyAreOf) {
  for (int i = 0; i < 12; ++i) d.run("step");
  expect_parts(figures_with_origin(d.model),
               {"level = 8", "work = life", "step 12", "A  ", "B  ", "median", "12 samples"});
}

TEST_F(UiPoints, CellsInFlightAreNotPainted) {
  d.model.tool = Model::Tool::draw;
  d.model.view.solid.morph = .5;
  d.frame();
  const auto before = d.model.runner().history();
  d.move(d.cell_at(0, {0, 255, 0}));
  d.press(true);
  d.move(d.cell_at(0, {20, 255, 0}));
  d.press(false);
  EXPECT_EQ(d.model.runner().history(), before);
}

TEST_F(UiPoints, WhatIsCancelledIsNotForEver) {
  d.model.cancel();
  d.model.beside("one", [](const std::atomic<bool>& cancel) { return std::string(cancel ? "cancelled" : "done"); });
  EXPECT_EQ(d.model.notice, "done");
}

TEST_F(UiPoints, ASceneOfFewerTracksHasAnActiveOne) {
  const std::string one = "schema = 1\nscene = \"fractal\"\n[parameters]\ntracks = [\"lambda_serial\"]\n";
  while (d.model.scene().tracks().size() < 4) d.run("add_track");
  d.model.active_track = 3;
  read_scene_text(d.model, one, "text", d.model.folder);
  EXPECT_EQ(d.model.active_track, 0u);
}

TEST_F(UiPoints, SamplesDoNotPushWhatStandsBelow) {
  d.resize({1440, 900});
  d.run("step");
  d.refresh();
  const float before = height_of("warp efficiency");
  ASSERT_GT(before, 0);
  for (int i = 0; i < 8; ++i) d.run("step");
  d.refresh();
  EXPECT_EQ(height_of("warp efficiency"), before);
}

TEST_F(UiPoints, APlotsReadOutNamesItsAxis) {
  d.resize({1440, 900});
  d.model.view.plots[0] = "waste";
  d.frames(2);
  const auto& plot = d.widget("plots/place_1/open");
  d.move({(plot.min.x + plot.max.x) / 2, (plot.min.y + plot.max.y) / 2 + 20});
  d.frames(2);
  EXPECT_TRUE(says("n = ")) << "a number alone says nothing";
}

TEST(UiPointsEach, ANoticeLeavesThePlotsFree) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1600, 900}}) {
    Driver d(size);
    d.model.tell("something long enough to be a sentence of its own");
    d.frames(2);
    const auto &notice = d.widget("notice/close"), &plot = d.widget("plots/place_1/open");
    EXPECT_TRUE(notice.max.y < plot.min.y || notice.min.y > plot.max.y);
  }
}

TEST_F(UiPoints, UnknownPlotsOfASceneAreRefused) {
  const std::string text = "schema = 1\nscene = \"fractal\"\n[view]\nplots = [\"times\", \"fram\", \"waste\"]\n";
  expect_parts(message_of<Error>([&] { read_scene_text(d.model, text, "mine.toml", ""); }), {"frames", "plots"});
  EXPECT_EQ(d.model.view.plots, ViewSettings().plots);
}

TEST_F(UiPoints, APlotIsCapturedAloneOnWhite) {
  d.state.files.folder = folder.path;
  for (int i = 0; i < 12; ++i) d.run("step");
  d.run("plot");
  d.click("plot/png");
  d.enter("path/file", "times");
  EXPECT_EQ(d.model.capture_wanted, folder / "times.png");
  EXPECT_TRUE(d.model.capture_plot);
  EXPECT_FALSE(d.has("path/go")) << "the dialog is not in the picture";
  d.frame();
  EXPECT_TRUE(drew("plot", IM_COL32_WHITE));
  const ui::Rectangle area = d.state.figure_area;
  EXPECT_GT(area.width(), 400);
  EXPECT_GT(area.height(), 200);
  d.model.capture_wanted.clear();
  d.frame();
  EXPECT_TRUE(d.state.figure_area.empty());
  EXPECT_FALSE(drew("plot", IM_COL32_WHITE)) << "the window has its own theme again";
}

TEST_F(UiPoints, TheShareOfTheCeilingIsShownOnceMeasured) {
  d.resize({1440, 900});
  for (int i = 0; i < 12; ++i) d.run("step");
  EXPECT_FALSE(says("ceiling %"));
  d.model.machine.copy_ceiling = 1e9 * 20;
  d.refresh();
  EXPECT_TRUE(says("ceiling %"));
  bool found = false;
  for (const auto& row : d.simulation().timings().table())
    if (row.track == 0 && row.kernel == d.simulation().track(0).kernel()) {
      found = true;
      EXPECT_TRUE(says(fmt::format("{:.1f}", 100 * row.gb_per_s() / 20)));
    }
  EXPECT_TRUE(found);
}

TEST_F(UiPoints, TheCeilingIsMeasured) {
  if (sanitized) GTEST_SKIP() << "a quarter of a gigabyte, sixty times";
  d.model.playing = true;
  d.run("ceiling");
  EXPECT_FALSE(d.model.playing) << "steps would share the memory";
  EXPECT_GT(d.model.machine.copy_ceiling, 1e8);
  EXPECT_LT(d.model.machine.copy_ceiling, 1e13);
  EXPECT_NE(d.model.notice.find("GB/s"), std::string::npos) << d.model.notice;
}

TEST_F(UiPoints, TheInspectorTellsLargePlacesWhole) {
  if (sanitized) GTEST_SKIP() << "a million cells";
  d.resize({1440, 900});
  d.open("simplex", {{"domain", std::string("triangle")}, {"n", std::int64_t{1101}}, {"block", std::int64_t{1}}});
  d.model.picked = {Selection::cell, {1100, 1100, 0}, 0, {}};
  d.frames(3);
  EXPECT_TRUE(says("block (1100, 1100)"));
  EXPECT_TRUE(says("thread (0, 0)"));
  for (const SeenText& text : TextReader().read()) EXPECT_FALSE(text.cut()) << text.words;
}

TEST_F(UiPoints, WhatIsOpenCanBeCaptured) {
  d.run("palette");
  d.frame();
  d.key(301);  // F12
  EXPECT_FALSE(d.model.capture_wanted.empty());
  EXPECT_TRUE(d.model.palette_open) << "and is in the picture";
}

/// Whether resting the mouse on a widget tells anything.
bool has_tooltip(Driver& d, const ui::WidgetRecord& widget) {
  d.move(Driver::centre(widget));
  d.frames(32);
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i)
    if (const char* name = data->CmdLists[i]->_OwnerName; name && std::string(name).starts_with("##Tooltip"))
      return true;
  return false;
}

TEST(UiPointsEach, EveryWidgetOfThePanelsTellsWhatItIs) {
  for (const char* scene : {"fractal", "simplex"}) {
    Driver d({1600, 1600});
    d.click(std::string("top/") + scene);
    for (int i = 0; i < 3; ++i) d.run("step");
    d.frames(2);
    std::string silent;
    for (const ui::WidgetRecord& widget : std::vector(d.ui.widgets)) {
      if (!widget.visible) continue;
      if (widget.path.starts_with("data_") || widget.path.starts_with("grid_") || widget.path.starts_with("split"))
        continue;
      if (widget.path.starts_with("plots/")) continue;  // its title tells: below
      if (!has_tooltip(d, widget)) silent += widget.path + "\n";
    }
    EXPECT_EQ(silent, "") << "in " << scene;
    const auto plot = d.widget("plots/place_2/open");
    d.move({plot.min.x + 40, plot.min.y + 10});
    d.frames(32);
    EXPECT_TRUE(says("Time per frame of this window"));
  }
}

TEST(UiFlightEach, BlocksOfAPlaneFlyAndCanBeFollowed) {
  for (const char* scene : {"fractal", "simplex"}) {
    Driver d({1440, 900});
    Queue questions(Backend::cpu);
    d.questions = &questions;
    d.open(scene);
    if (scene == std::string("simplex")) d.show({{"domain", std::string("triangle")}});
    ASSERT_TRUE(d.has("scene/view/morph"));
    EXPECT_FALSE(d.has("scene/view/waste")) << "in a plane wasted blocks are in the launch grid alone";
    d.run("morph");
    EXPECT_EQ(d.model.view.solid.morph, 0);
    EXPECT_TRUE(d.has("scene/view/waste"));
    for (const Want& want : d.wants) {
      EXPECT_EQ(want.request.colour_by, ColourBy::launch_order) << "in both pictures, to be followed";
      EXPECT_EQ(want.request.solid.morph, want.picture == 0 ? 0 : 1);
    }
    d.model.view.solid.morph = .5;
    d.frame();
    // What is hovered in the launch grid of one track is marked on its way in all.
    d.move(d.thread_at(1, {0, {0, 0, 0}, 0, {0, 0, 0}}));
    EXPECT_EQ(d.model.hover.space, Selection::thread);
    EXPECT_EQ(unmarked(d), "");
    d.move(d.cell_at(0, {1, 1, 0}));
    EXPECT_TRUE(d.model.hover.empty()) << "cells are not where they will be";
    // It is part of the scene, and comes back.
    const std::string text = scene_text(d.model);
    EXPECT_NE(text.find("morph = 0.5"), std::string::npos) << text;
    d.model.view.solid.morph = 1;
    EXPECT_EQ(scene_text(d.model).find("morph"), std::string::npos) << "usual: not written for planes";
    read_scene_text(d.model, text, "text", "");
    EXPECT_EQ(d.model.view.solid.morph, .5);
    d.run("morph");
    EXPECT_EQ(d.model.view.solid.morph, 1) << "from the middle they go home";
  }
}

using UiFlight = DriverTest;

TEST_F(UiFlight, TheMarkOfASolidFliesToo) {
  d.resize({1440, 900});
  d.click("top/simplex");
  d.model.view.solid.morph = .4;
  d.model.picked = {Selection::thread, {}, 1, {0, {0, 0, 0}, 0, {}}};
  d.frames(2);
  EXPECT_TRUE(drew("data B", d.ui.theme->selection));
  EXPECT_TRUE(drew("grid B", d.ui.theme->selection));
}

}  // namespace
}  // namespace warploom
