#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/stopwatch.h"
#include "gpu/own/registry.h"
#include "gpu/tracks/facets/written.h"
#include "tests/viewer/parameters.h"
#include "viewer/model/commands.h"

namespace warploom {
namespace {

/// An own map that is slow to judge, on however many cores, in a window of its own thread.
struct LongJudging : ::testing::Test {
  Model model{Backend::cpu, false};
  std::string name;

  void SetUp() override {
    select_scene(model, "simplex");
    const std::string text =
        "Place place(Block b, Domain) {\n"
        "  unsigned word = b.x;\n"
        "  for (int i = 0; i < " +
        std::to_string(20000 * std::max(1u, std::thread::hardware_concurrency())) +
        "; ++i) word = word * 1664525 + 1013904223;\n"
        "  if (word == b.x + 1) return nowhere;\n"
        "  return {b.x, b.y};\n"
        "}\n";
    name = add_own(read_own_text("slow.h", text));
    ASSERT_TRUE(model.set({{"domain", std::string("triangle")},
                           {"n", std::int64_t{1800}},
                           {"tracks", std::vector<std::string>{"bounding_box", name}}}))
        << model.notice;
    ASSERT_TRUE(frames_until(model, [&] { return !model.building(); }));
  }
  void TearDown() override {
    // The tracks go first.
    model.set("tracks", std::vector<std::string>{"bounding_box"});
    EXPECT_TRUE(frames_until(model, [&] { return !model.building() && !model.runner().busy(); }));
    drop_own(name);
  }
  OwnState own() { return model.runner().simulation()->track(1).need<Written>().own(); }
};

TEST_F(LongJudging, ThePictureDoesNotWaitForIt) {
  ASSERT_TRUE(model.runner().judging());
  EXPECT_TRUE(own().judging());
  const auto simulation = model.runner().simulation();
  ASSERT_EQ(simulation->size(), 2u);
  ASSERT_TRUE(frames_until(model, [&] { return model.runner().step(1); }));
  ASSERT_TRUE(frames_until(model, [&] { return simulation->steps() == 1; }));
  EXPECT_TRUE(simulation->status()[1].agrees);
  EXPECT_TRUE(model.runner().judging());
  EXPECT_EQ(model.runner().progress().what, "judging your map");
  ASSERT_TRUE(frames_until(model, [&] { return !model.runner().judging(); }));
  EXPECT_TRUE(own().trusted);
  EXPECT_EQ(own().judgement.served, own().judgement.cells);
  EXPECT_EQ(model.runner().simulation(), simulation);
}

TEST_F(LongJudging, CancelledItGoesOnAfterAReset) {
  ASSERT_TRUE(frames_until(model, [&] { return !model.runner().busy(); }));
  ASSERT_TRUE(model.runner().judging());
  model.cancel();
  EXPECT_FALSE(model.runner().judging());
  EXPECT_EQ(model.notice, "judging was given up; a reset goes on with it");
  EXPECT_TRUE(own().judging());
  model.runner().reset();
  ASSERT_TRUE(frames_until(model, [&] { return !model.runner().busy(); }));
  ASSERT_TRUE(model.runner().judging());
  ASSERT_TRUE(frames_until(model, [&] { return !model.runner().judging(); }));
  EXPECT_TRUE(own().judgement.keeps());
}

TEST_F(LongJudging, GivesWayToAnotherBuild) {
  ASSERT_TRUE(model.runner().judging());
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(model.set("tracks", std::vector<std::string>{"bounding_box"}));
  ASSERT_TRUE(frames_until(model, [&] { return !model.building(); }));
  EXPECT_LT(milliseconds_since(begin), 3000);
  EXPECT_FALSE(model.runner().judging());
}

}  // namespace
}  // namespace warploom
