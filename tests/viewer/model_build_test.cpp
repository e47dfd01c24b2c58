#include <gtest/gtest.h>

#include "gpu/core/error.h"
#include "tests/viewer/parameters.h"
#include "viewer/model/build_times.h"
#include "viewer/model/commands.h"
#include "viewer/model/scene_text.h"

namespace warploom {
namespace {

/// A window over small tetrahedra, and the start of a build that takes long enough to be given up.
struct LongBuild : ::testing::Test {
  Model model{Backend::cpu, false};
  std::shared_ptr<Simulation> shown;

  void SetUp() override {
    select_scene(model, "simplex");
    ASSERT_TRUE(model.set("n", std::int64_t{20})) << model.notice;
    finish();
    shown = model.runner().simulation();
  }
  void begin() {
    ASSERT_TRUE(model.set("n", std::int64_t{900})) << model.notice;
    ASSERT_TRUE(frames_until(model, [&] { return model.runner().progress().what == "filling the domain"; }));
  }
  /// Until something is built, and nothing is under way.
  void finish() {
    ASSERT_TRUE(frames_until(
        model, [&] { return model.runner().simulation() && !model.building() && !model.runner().busy(); }));
    model.update();
  }
  void give_up() {
    begin();
    model.runner().cancel();
    finish();
  }
  template <class Value = std::int64_t>
  Value value(const char* key) {
    return std::get<Value>(parameter(model.scene(), key).get());
  }
};

TEST_F(LongBuild, CancelledItGivesTheParametersBack) {
  begin();
  EXPECT_EQ(value("n"), 900);
  model.runner().cancel();
  finish();
  EXPECT_EQ(model.runner().simulation(), shown);
  EXPECT_EQ(value("n"), 20);
  EXPECT_TRUE(model.notice.starts_with("cancelled")) << model.notice;
  // Nothing is left of it to be undone: one step back is what was there before n was 20.
  model.undo();
  EXPECT_NE(value("n"), 900);
}

TEST_F(LongBuild, OneThatANewerTakesThePlaceOfIsNotGivenUp) {
  begin();
  ASSERT_TRUE(model.set("n", std::int64_t{30}));
  finish();
  EXPECT_EQ(value("n"), 30);
  EXPECT_EQ(model.runner().simulation()->track(0).extent().x, 30u);
  EXPECT_FALSE(model.notice.starts_with("cancelled")) << model.notice;
}

/// A scene that another scene's text opened keeps nothing of it once that is given up.
TEST_F(LongBuild, OfASceneThatWasOpenedNothingIsLeft) {
  select_scene(model, "fractal");
  model.rebuild();
  finish();
  open_scene(model, "large", [&] {
    return read_scene_text(model, "schema = 1\nscene = \"simplex\"\n[parameters]\nn = 900\n", "text", ".");
  });
  ASSERT_TRUE(frames_until(model, [&] { return model.runner().progress().what == "filling the domain"; }));
  model.runner().cancel();
  finish();
  EXPECT_EQ(std::string(model.scene().key()), "fractal");
  select_scene(model, "simplex");
  EXPECT_EQ(value("n"), 20);
}

/// Steps that are asked for and taken back at once, before the thread that steps has seen them, are over.
TEST_F(LongBuild, StepsTakenBackBeforeTheyBeganAreOver) {
  for (int i = 0; i < 3000; ++i) {
    if (!model.runner().step(1)) continue;
    if (i % 2)
      model.runner().pause();
    else
      model.runner().cancel();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (model.runner().busy() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    ASSERT_FALSE(model.runner().busy()) << "after " << i;
  }
}

/// One that came while nobody looked is what is shown, although the next was asked for before that was seen.
TEST_F(LongBuild, OneThatFailsGivesBackWhatCameBeforeIt) {
  ASSERT_TRUE(model.set("n", std::int64_t{40}));
  while (model.runner().busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  give_up();
  EXPECT_EQ(model.runner().simulation()->track(0).extent().x, 40u);
  EXPECT_EQ(value("n"), 40);
}

/// One that gave way to another, which cannot be, is asked for again.
TEST_F(LongBuild, OneThatGaveWayToWhatFailsIsAskedForAgain) {
  select_scene(model, "bins");
  ASSERT_TRUE(model.set("input", std::string("300"))) << model.notice;
  finish();
  ASSERT_TRUE(model.set("input", std::string("20000"))) << model.notice;
  ASSERT_TRUE(model.set("bin", 1e-4));  // known only where the elements are
  finish();
  EXPECT_TRUE(model.notice_is_error) << model.notice;
  EXPECT_EQ(value<std::string>("input"), "20000");
  EXPECT_EQ(value<double>("bin"), 0);
  EXPECT_EQ(model.runner().simulation()->track(0).extent().x, 20000u);
}

/// ... but not once the user gave up what took its place.
TEST_F(LongBuild, WhatWasGivenUpIsNeverAskedForAgain) {
  ASSERT_TRUE(model.set("n", std::int64_t{899})) << model.notice;
  give_up();
  select_scene(model, "bins");
  ASSERT_TRUE(model.set({{"input", std::string("300")}, {"bin", 1e-4}}));
  finish();
  EXPECT_STREQ(model.scene().key(), "simplex");
  EXPECT_EQ(value("n"), 20);
  EXPECT_EQ(model.runner().simulation(), shown);
}

TEST_F(LongBuild, OfAnotherSceneCancelledItGivesTheSceneBack) {
  select_scene(model, "fractal");
  model.rebuild();
  finish();
  shown = model.runner().simulation();
  select_scene(model, "simplex");
  give_up();
  EXPECT_STREQ(model.scene().key(), "fractal");
  EXPECT_EQ(model.runner().simulation(), shown);
}

/// Baseline, pins, the active track and what is picked go with the tracks: removing one is taken back whole.
TEST_F(LongBuild, CancelledItGivesBackHowTheTracksWereLookedAt) {
  model.view.baseline = model.active_track = 1;
  model.picked = {Selection::thread, {}, 1, {0, {0, 0, 0}, 0, {1, 0, 0}}};
  model.view.pins = {{model.picked, "here"}};
  model.view.theme = "dark";
  const auto folder = model.folder;
  model.update();
  begin();
  model.remove_track(1);
  model.folder = "/";
  model.view.theme = "light";
  model.update();
  ASSERT_EQ(model.view.baseline, 0u);
  ASSERT_TRUE(model.view.pins.empty() && model.picked.empty());
  model.runner().cancel();
  finish();
  EXPECT_EQ(model.scene().tracks().size(), 2u);
  EXPECT_EQ(model.view.baseline, 1u);
  EXPECT_EQ(model.active_track, 1u);
  ASSERT_EQ(model.view.pins.size(), 1u);
  EXPECT_EQ(model.view.pins[0].at, model.picked);
  EXPECT_EQ(model.picked.track, 1u);
  EXPECT_EQ(model.folder, folder);
  EXPECT_EQ(model.view.theme, "light") << "which is the window's";
}

TEST_F(LongBuild, CancelledItKeepsTheStrokesBeforeIt) {
  model.paint({{0, 0, 0}}, 1, true);
  finish();
  give_up();
  model.undo();
  EXPECT_EQ(model.notice, "undone: the stroke");
}

TEST_F(LongBuild, WhatIsReadForTheWindowIsFinishedAtItsEnd) {
  int done = 0;
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  model.read_later(slow, [&] { ++done; });
  model.read_later(slow, [&] { model.read_later(slow, [&] { ++done; }); });
  EXPECT_EQ(model.finish_beside(), "");
  EXPECT_EQ(done, 2);
  EXPECT_FALSE(model.reading());
  model.read_later([] { throw FileError("the folder is gone"); }, [&] { ++done; });
  model.read_later(slow, [&] { ++done; });
  EXPECT_EQ(model.finish_beside(), "the folder is gone");
  EXPECT_EQ(done, 3);
}

/// B is neither swallowed by something else that is read, nor answered for values that are not shown any more.
TEST_F(LongBuild, BreakItWaitsForNothingAndSaysWhatItDoes) {
  const Command& command = *find_command(std::string("break_it"));
  const auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(100)); };
  model.read_later(slow, [] {});
  carry_out(model, command);
  carry_out(model, command);
  EXPECT_TRUE(has(model.notice, "looking for the first wrong block")) << model.notice;
  ASSERT_TRUE(frames_until(model, [&] { return model.scene().tracks().size() == 3; }));
  finish();
  EXPECT_TRUE(has(model.notice, "its first wrong block is number")) << model.notice;
  model.undo();
  finish();
  ASSERT_EQ(model.scene().tracks().size(), 2u);
  carry_out(model, command);
  ASSERT_TRUE(model.set("domain", std::string("triangle"))) << model.notice;
  ASSERT_TRUE(frames_until(model, [&] { return !model.reading() && !model.building(); }));
  if (model.scene().tracks().size() == 2) {
    EXPECT_TRUE(model.notice.starts_with("Break it: ")) << model.notice;
    carry_out(model, command);
  }
  ASSERT_TRUE(frames_until(model, [&] { return model.scene().tracks().size() == 3; }));
  Queue queue(Backend::cpu);
  const FirstWrong wrong = model.scene().need<Breakable>().first_wrong(queue, model.scene().tracks()[2]);
  EXPECT_EQ(model.picked.at, wrong.block) << "of the triangle, not of the tetrahedron";
}

/// A text that is refused half way leaves everything as it was.
TEST_F(LongBuild, ARefusedTextLeavesTheActiveTrack) {
  model.active_track = 1;
  EXPECT_THROW((void)read_scene_text(model, "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 99\n", "text", "."),
               FileError);
  EXPECT_STREQ(model.scene().key(), "simplex");
  EXPECT_EQ(model.active_track, 1u);
}

/// What is announced is about what the tracks take, not their data alone.
TEST_F(LongBuild, MemoryIsThatOfTheTracks) {
  for (const auto& [scene, key, size] :
       {std::tuple{"fractal", "level", 10}, {"simplex", "n", 150}, {"butterfly", "n", 14}}) {
    select_scene(model, scene);
    ASSERT_TRUE(model.set(key, std::int64_t{size})) << model.notice;
    finish();
    const BuildRequest request = model.scene().build_request(Backend::cpu);
    const auto taken = static_cast<double>(model.runner().simulation()->bytes());
    EXPECT_GT(taken, 1 << 20) << scene;
    EXPECT_GE(request.memory, .8 * taken) << scene;
    EXPECT_LE(request.memory, 2 * taken) << scene;
  }
}

/// A few bytes take as long as none: they must not make much look like minutes.
TEST(BuildTimes, WhatEveryBuildTakesIsNoRate) {
  BuildTimes times;
  EXPECT_FALSE(times.seconds_for(1e9));
  times.add(1e4, .3);
  EXPECT_FALSE(times.seconds_for(1e9)) << "one alone says nothing";
  times.add(2e4, .35);
  EXPECT_FALSE(times.seconds_for(1e9)) << "nor do two that took as long";
  times.add(1e8, 2.3);
  EXPECT_NEAR(*times.seconds_for(1e9), 20.3, 1e-9);
  times.add(1e6, .2);  // shorter, of fewer bytes
  EXPECT_NEAR(*times.seconds_for(1e8), 2.3, 1e-9);
}

}  // namespace
}  // namespace warploom
