// The arrow keys of a presentation.
#include "gpu/tracks/facets/stages.h"
#include "tests/viewer/ui_driver.h"

namespace warploom {
namespace {

constexpr int right = 262, left = 263, down = 264, up = 265;

using UiArrows = DriverTest;

TEST_F(UiArrows, WalkTheStagesOfANetwork) {
  d.open("butterfly", {{"n", std::int64_t{4}}, {"tracks", std::vector<std::string>{"radix2", "radix4"}}});
  d.model.active_track = 0;
  d.key(right);
  EXPECT_TRUE(d.model.picked.empty()) << "outside a presentation they do nothing";
  EXPECT_EQ(d.model.notice, "");
  d.key(f5);
  const auto& stages = d.simulation().track(0).need<StagesFacet>();
  const Selection first = stages.stage_after({}, 1);
  for (int i = 0; i < 3; ++i) d.key(right);
  EXPECT_EQ(d.model.picked, stages.stage_after(first, 2));
  const std::string third = walked_words(d.model);
  EXPECT_TRUE(third.starts_with("stage 3 of 4: digit ")) << third;
  EXPECT_TRUE(third.ends_with(" apart")) << third;
  d.key(left);
  EXPECT_TRUE(walked_words(d.model).starts_with("stage 2 of 4")) << walked_words(d.model);
  d.key(down);
  d.key(down);
  d.key(up);
  EXPECT_EQ(d.model.picked, stages.element_after(stages.stage_after(first, 1), 1));
  for (int i = 0; i < 40; ++i) d.key(down);
  EXPECT_FALSE(stages.stage_words(d.model.picked).empty()) << "within the network";
  // The keyboard's walk has them first.
  const Selection before = d.model.picked;
  d.key(f6);
  d.key(right);
  EXPECT_EQ(d.model.picked, before);
}

TEST_F(UiArrows, WalkTheWarpsOfASlowLaunch) {
  d.key(f5);
  EXPECT_EQ(walked_words(d.model), "");
  d.key(right);
  d.key(right);
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 2u);
  const std::string words = walked_words(d.model);
  EXPECT_TRUE(words.starts_with("slow launch: 2 of ")) << words;
  d.key(left);
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 1u);
  const auto block = SoFar::warps_of(volume(d.simulation().track(0).launches()[0].threads));
  d.key(down);
  EXPECT_EQ(d.model.launched_warps(d.simulation()), 1 + block);
  d.key(escape);
  EXPECT_EQ(walked_words(d.model), "");
}

TEST_F(UiArrows, WalkTheCapOfBins) {
  d.open("bins", {{"tracks", std::vector<std::string>{"regular/count/spill"}}, {"cap", std::string("2")}});
  d.run("step");
  d.key(f5);
  const std::string before = walked_words(d.model);
  EXPECT_TRUE(before.starts_with("cap 2: ")) << before;
  d.key(right);
  d.run("step");
  EXPECT_EQ(d.shown("cap"), "3");
  EXPECT_TRUE(walked_words(d.model).starts_with("cap 3: ")) << walked_words(d.model);
  d.key(down);
  EXPECT_EQ(d.shown("cap"), "3");
  for (int i = 0; i < 5; ++i) d.key(left), d.run("step");
  EXPECT_EQ(d.shown("cap"), "0");
}

}  // namespace
}  // namespace warploom
