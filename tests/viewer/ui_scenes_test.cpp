#include <chrono>
#include <thread>

#include "tests/sanitized.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// Each scene keeps what was set in it, and nothing that goes wrong in one takes another along.

namespace warploom {
namespace {

using UiScenes = DriverTest;

TEST_F(UiScenes, EachHasPicturesAndPlotsOfItsOwn) {
  d.open("bins", {{"application", std::string("blinn")}, {"input", std::string("60")}});
  d.choose("scene/view/main_picture", "surface");
  d.click("top/butterfly");
  d.enter("scene/n", "4");
  EXPECT_EQ(d.model.view.pictures, ViewSettings().pictures);
  d.click("top/fractal");
  d.click("top/butterfly");
  EXPECT_EQ(d.shown("n"), "4") << d.model.notice;
  EXPECT_EQ(d.model.notice, "");
  d.click("top/bins");
  EXPECT_EQ(d.model.view.pictures[0], "surface");
  EXPECT_EQ(d.shown("application"), "blinn");
}

TEST_F(UiScenes, APlotChosenInOneIsNotShownInAnother) {
  d.open("simplex", {{"n", std::int64_t{16}}});
  d.run("time_maps");
  ASSERT_EQ(d.model.view.plots[2], "gain");
  d.model.view.baseline = 1;
  d.click("top/butterfly");
  EXPECT_EQ(d.model.view.plots, ViewSettings().plots);
  EXPECT_EQ(d.model.view.baseline, 0u);
  d.click("top/simplex");
  EXPECT_EQ(d.model.view.plots[2], "gain");
  EXPECT_EQ(d.model.view.baseline, 1u);
  // The theme is the window's.
  d.run("theme");
  d.click("top/butterfly");
  EXPECT_EQ(d.model.view.theme, "light");
}

TEST_F(UiScenes, UndoingIntoAnotherBringsItsView) {
  d.open("bins", {{"input", std::string("60")}});
  d.choose("scene/view/main_picture", "memory");
  const std::string text = "schema = 1\nscene = \"butterfly\"\n[parameters]\nn = 3\n";
  open_scene(d.model, "opened", [&] { return read_scene_text(d.model, text, "text", d.model.folder); });
  d.frames(2);
  ASSERT_STREQ(d.model.scene().key(), "butterfly");
  EXPECT_EQ(d.model.view.pictures[0], "");
  d.run("undo");
  ASSERT_STREQ(d.model.scene().key(), "bins");
  EXPECT_EQ(d.model.view.pictures[0], "memory");
}

/// As sessions of earlier versions have it, in which views went from scene to scene.
TEST_F(UiScenes, AViewThatDoesNotFitIsLeftOutAlone) {
  d.model.left["butterfly"] =
      "schema = 1\nscene = \"butterfly\"\n[parameters]\nn = 4\n[run]\nsteps = 1\n[view]\n"
      "pictures = [\"surface\", \"rows\"]\nplots = [\"times\", \"rate\", \"shapes\"]\nbaseline = \"D\"\n";
  d.click("top/butterfly");
  EXPECT_EQ(d.shown("n"), "4");
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(d.model.view.pictures, (std::array<std::string, 2>{"", "rows"}));
  EXPECT_EQ(d.model.view.plots, (std::array<std::string, 3>{"times", "rate", "waste"}));
  EXPECT_EQ(d.model.view.baseline, 0u);
  for (const char* told : {"view.pictures 'surface'", "view.plots 'shapes'", "view.baseline 'D'", "left out"})
    EXPECT_NE(d.model.notice.find(told), std::string::npos) << d.model.notice;
}

TEST_F(UiScenes, AGivenStateLocksNoScene) {
  d.show({{"level", std::int64_t{5}}});
  d.model.paint({{0, 31, 0}, {1, 31, 0}, {3, 31, 0}}, 1, true);
  const std::string text = scene_text(d.model);
  ASSERT_NE(text.find("cells"), std::string::npos);
  open_scene(d.model, "opened", [&] { return read_scene_text(d.model, text, "text", d.model.folder); });
  d.frames(2);
  const auto given = [&] { return d.model.scene().need<StoredState>().start_state() != nullptr; };
  ASSERT_TRUE(given());
  const auto cells = d.state_of(0);
  d.choose("scene/fractal", "candy");
  ASSERT_TRUE(d.model.notice_is_error);
  ASSERT_TRUE(d.has("notice/accept")) << d.model.notice;
  EXPECT_EQ(d.shown("fractal"), "sierpinski_gasket");
  d.click("notice/accept");
  EXPECT_EQ(d.shown("fractal"), "candy");
  EXPECT_FALSE(given());
  EXPECT_NE(d.model.notice.find("the state is dropped"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.has("notice/accept"));
  d.run("undo");
  EXPECT_EQ(d.shown("fractal"), "sierpinski_gasket");
  EXPECT_TRUE(given());
  EXPECT_EQ(d.state_of(0), cells);
  d.run("redo");
  EXPECT_EQ(d.shown("fractal"), "candy") << d.model.notice;
  EXPECT_FALSE(given());
  // Another text is opened as it is, whatever was given before.
  for (const char* level : {"5", "7"}) {
    (void)read_scene_text(d.model, text, "text", d.model.folder);
    ASSERT_TRUE(given());
    (void)read_scene_text(d.model, std::string("schema = 1\nscene = 'fractal'\n[parameters]\nlevel = ") + level, "text",
                          d.model.folder);
    EXPECT_FALSE(given()) << level;
    EXPECT_EQ(d.shown("level"), level);
  }
}

TEST_F(UiScenes, WhatIsRefusedAnywayOffersNothing) {
  d.enter("scene/level", "99");
  ASSERT_TRUE(d.model.notice_is_error);
  EXPECT_FALSE(d.has("notice/accept"));
}

TEST_F(UiScenes, ResultsSayHowOldTheyAre) {
  d.resize({1440, 1600});
  d.frames(3);
  ASSERT_FALSE(d.model.computed().results.empty());
  EXPECT_FALSE(says("ago"));
  d.model.playing = true;
  d.frames(4);
  ASSERT_GT(d.steps(), d.model.computed().step);
  EXPECT_TRUE(says(std::to_string(d.steps() - d.model.computed().step) + " steps ago"));
  d.run("play");
  d.frames(3);
  EXPECT_EQ(d.model.computed().step, d.steps());
  EXPECT_FALSE(says("ago"));
}

/// Also in the text that a session keeps: one that is on its way is written as it will be.
TEST(UiScenesThread, AnEditedSceneComesBackHoweverSoonItIsLeft) {
  Driver d({1280, 800}, 1, "dark", make_scenes(), false);
  d.settle();
  ASSERT_TRUE(d.model.set("level", std::int64_t{5}));
  d.settle();
  d.model.paint({{0, 31, 0}, {1, 31, 0}, {3, 31, 0}}, 1, true);
  d.settle();
  d.run("step");
  d.settle();
  const auto cells = d.state_of(0);
  show_scene(d.model, "simplex");
  d.settle();
  for (const char* scene : {"fractal", "bins", "fractal"}) show_scene(d.model, scene);
  ASSERT_TRUE(d.model.building());
  const std::string coming = scene_text(d.model);
  EXPECT_NE(coming.find("steps = 1"), std::string::npos) << coming;
  EXPECT_NE(coming.find("painted at step 0"), std::string::npos) << coming;
  d.settle();
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(d.state_of(0), cells);
  // Steps that are replayed count from the beginning of the way.
  const std::string far =
      "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = " + std::string(sanitized ? "6" : "8") +
      "\n[run]\nsteps = 400\n";
  d.model.start(read_scene_text(d.model, far, "text", d.model.folder).steps);
  for (bool comes = true; comes;) {
    comes = d.model.building() || d.model.runner().busy();
    ASSERT_NE(scene_text(d.model).find("steps = 400"), std::string::npos) << d.steps();
    d.frame();
  }
  // ... unless they are given up.
  d.model.start(read_scene_text(d.model, far, "text", d.model.folder).steps);
  while (d.model.building()) d.frame();
  d.run("cancel");
  d.settle();
  EXPECT_NE(scene_text(d.model).find("steps = " + std::to_string(d.steps()) + "\n"), std::string::npos);
}

TEST_F(UiScenes, WithNothingToCancelItIsSaid) {
  d.run("cancel");
  EXPECT_EQ(d.model.notice, "nothing is under way that could be cancelled");
}

}  // namespace
}  // namespace warploom
