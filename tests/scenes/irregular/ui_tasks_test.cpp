#include "gpu/scenes/irregular/pictures/tasks_colours.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/ui/deficiency.h"

// What the panels say of tasks.

namespace warploom {
namespace {

struct UiTasks : DriverTest {
  UiTasks() {
    d.resize({1600, 1600});
    d.open("irregular",
           {{"system", std::string("tasks")}, {"size", std::int64_t{128}}, {"iterations", std::int64_t{32}}});
  }
  TasksTrack& track(std::size_t i) { return dynamic_cast<TasksTrack&>(d.simulation().track(i)); }
  std::string told(std::size_t i, std::uint32_t row) {
    std::string all;
    for (const auto& [what, words] : track(i).describe({task_space, {row, 0, 0}, 0, {}}))
      all += what + " " + words + "; ";
    return all;
  }
  /// All of a picture on 1000 x 800 pixels.
  static PictureRequest whole(const std::array<double, 3>& sides) {
    PictureRequest request;
    request.target.width = 1000;
    request.target.height = 800;
    request.camera = {sides[0] / 2, sides[1] / 2, sides[0] / 1000, sides[1] / 800};
    return request;
  }
};

TEST_F(UiTasks, TheCardAndTheVerdictCompareWithTheBound) {
  ASSERT_EQ(d.simulation().size(), 2u);
  EXPECT_EQ(track(0).info().name, "locked_queue");
  EXPECT_EQ(track(1).info().name, "stealing");
  EXPECT_TRUE(d.seals_agree());
  for (const char* words : {"critical path", "all done after", "least time", "at work", "modelled", "MODELLED"})
    EXPECT_TRUE(says(words)) << words;
  const auto words = track(1).against(track(0), "A");
  ASSERT_EQ(words.size(), 1u);
  EXPECT_NE(words[0].find("times the least time that 32 blocks allow"), std::string::npos) << words[0];
  EXPECT_NE(words[0].find("times less than A"), std::string::npos) << words[0];
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_TRUE(d.seals_agree());
  EXPECT_EQ(track(0).chart()->step, 3u);
}

TEST_F(UiTasks, ATaskIsToldInEveryTrack) {
  const TaskTree& tree = track(0).chart()->tree();
  const auto made = static_cast<std::uint32_t>(tree.first);
  ASSERT_LT(made, tree.size());
  ASSERT_GE(tree.parent[made], 0);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string first = told(i, 0), child = told(i, made);
    EXPECT_NE(first.find("square (0, 0) of side 64, of generation 0"), std::string::npos) << first;
    EXPECT_NE(first.find("none: it is one of 4 first tasks"), std::string::npos) << first;
    EXPECT_NE(child.find("task " + std::to_string(tree.parent[made]) + " makes it, which block "), std::string::npos)
        << child;
    EXPECT_NE(child.find(" does it from "), std::string::npos) << child;
    for (Picture* picture : track(i).pictures()) {
      const Selected selected{{task_space, {made, 0, 0}, 0, {}}, {}, {}};
      EXPECT_FALSE(picture->marks(selected).empty()) << picture->info().key;
    }
    EXPECT_TRUE(told(i, static_cast<std::uint32_t>(tree.size())).empty());
  }
  for (const std::uint32_t row : tree.path)
    EXPECT_NE(told(0, row).find("lies on the critical path"), std::string::npos) << row;
}

/// What is under a pixel is what is marked there.
TEST_F(UiTasks, PicturesFindTheTaskUnderThePointer) {
  for (std::size_t p = 0; p < 2; ++p) {
    Picture& picture = *track(1).pictures()[p];
    const TaskTree& tree = track(1).chart()->tree();
    const auto sides = picture.extent();
    const PictureRequest request = whole(sides);
    std::size_t found = 0;
    for (std::uint32_t row = 0; row < tree.size(); ++row) {
      if (tree.children[row]) continue;  // of an image all pixels are of tasks that make none
      const Outline mark = picture.marks({{task_space, {row, 0, 0}, 0, {}}, {}, {}}).back();
      const double x = (mark.low[0] + mark.high[0]) / 2 / sides[0] * 1000,
                   y = (mark.low[1] + mark.high[1]) / 2 / sides[1] * 800;
      const Selection at = picture.at(nullptr, request, x, y);
      EXPECT_EQ(at.space, task_space);
      EXPECT_EQ(at.at.x, row) << picture.info().key;
      ++found;
    }
    EXPECT_GT(found, 10u);
  }
}

/// Blocks that wait are told of as those that work are.
TEST_F(UiTasks, WhatABlockDoesBesidesWorkIsTold) {
  Picture& picture = *track(0).pictures()[0];
  const auto chart = track(0).chart();
  const auto sides = picture.extent();
  const PictureRequest request = whole(sides);
  std::size_t waits = 0;
  for (const TaskTurn& turn : chart->schedule.turns) {
    const double x = static_cast<double>(turn.start + turn.end) / 2e3 / sides[0] * 1000,
                 y = (turn.block + .5) / sides[1] * 800;
    const Selection at = picture.at(nullptr, request, x, y);
    if (turn.kind == TaskTurn::work) {
      EXPECT_EQ(at.space, task_space);
      continue;
    }
    ASSERT_EQ(at.space, block_time_space);
    const Outline mark = picture.marks({at, {}, {}}).back();
    EXPECT_DOUBLE_EQ(mark.low[0], static_cast<double>(turn.start) / 1e3);
    EXPECT_DOUBLE_EQ(mark.high[0], static_cast<double>(turn.end) / 1e3);
    if (turn.kind != TaskTurn::wait) continue;
    const auto rows = track(0).describe(at);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_NE(rows[0].second.find("block " + std::to_string(turn.block) + " waits"), std::string::npos);
    EXPECT_NE(rows[1].second.find(", for "), std::string::npos);
    ++waits;
  }
  EXPECT_GT(waits, 10u);
  EXPECT_TRUE(picture.at(nullptr, request, 1e4, 10).empty()) << "behind the last block's end";
  EXPECT_EQ(track(0).describe({block_time_space, {9999, 0, 0}, 0, {}}).size(), 1u);
  d.model.picked = {block_time_space, {3, 1500, 0}, 0, {}};
  EXPECT_EQ(selection_text(d.model.picked, "AB"), "block_time:3,1500");
  d.frames(2);
  EXPECT_TRUE(says("BLOCK 3 AT 1.50 \u00b5S"));
}

TEST_F(UiTasks, EveryApplicationAndStrategyIsShown) {
  for (const char* application : {"mandelbrot", "random_tree", "octree"}) {
    d.show({{"application", std::string(application)},
            {"count", std::int64_t{500}},
            {"grain", std::int64_t{1}},
            {"tracks", std::vector<std::string>{"static_list", "lock_free_queue", "stealing", "rebalance"}}});
    ASSERT_EQ(d.simulation().size(), 4u);
    EXPECT_TRUE(d.seals_agree()) << application;
    EXPECT_TRUE(says("most ready")) << application;
    for (std::size_t i = 0; i < 4; ++i) {
      for (const auto* picture : track(i).pictures()) EXPECT_FALSE(picture->caption().empty());
      // No moment has more tasks ready than there are, nor more blocks at work.
      const auto curves = track(i).curves();
      ASSERT_TRUE(curves && curves->size() == 1u);
      for (const double ready : curves->at(0).lines.at(0).y) {
        EXPECT_GE(ready, 0);
        EXPECT_LE(ready, static_cast<double>(track(i).chart()->tree().size()));
      }
      for (const double working : curves->at(0).lines.at(1).y) {
        EXPECT_GE(working, 0);
        EXPECT_LE(working, 32);
      }
    }
  }
}

TEST_F(UiTasks, AQueueThatIsTooSmallLeavesTheRunThatIsThere) {
  const auto before = d.simulation().track(0).version();
  d.model.set({{"application", std::string("random_tree")}, {"capacity", std::int64_t{16}}});
  d.frames(3);
  EXPECT_TRUE(says("queue full"));
  EXPECT_GE(d.simulation().track(0).version(), before);
  EXPECT_TRUE(d.seals_agree());
}

TEST(TaskColours, KindsAreToldApartByEveryone) {
  using namespace task_colours;
  for (const auto kind :
       {ui::Deficiency::none, ui::Deficiency::protanopia, ui::Deficiency::deuteranopia, ui::Deficiency::tritanopia})
    for (const Rgba one : {queue, wait, launch, unlike})
      for (const Rgba other : {queue, wait, launch, unlike}) {
        if (one == other) continue;
        EXPECT_GE(ui::colour_distance(ui::seen_with(one, kind), ui::seen_with(other, kind)), 15) << ui::name(kind);
      }
}

}  // namespace
}  // namespace warploom
