#include <gtest/gtest.h>

#include "tests/viewer/parameters.h"

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

}  // namespace
}  // namespace warploom
