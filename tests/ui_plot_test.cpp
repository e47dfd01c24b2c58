#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "viewer/ui/plot/usual.h"

namespace warploom::ui {
namespace {

TEST(UsualAxis, HoldsNinetyNineOfAHundredAndMarksTheRest) {
  std::vector<double> values(200, 4);
  values[3] = 1000, values[150] = 70;
  const Usual usual = ui::usual(values, .99, "ms");
  EXPECT_EQ(usual.axis.min, 0);
  EXPECT_EQ(usual.axis.max, 4);
  EXPECT_EQ(usual.axis.unit, "ms");
  EXPECT_EQ(usual.above, (std::vector<double>{3, 150}));
  EXPECT_EQ(above_words(usual), "2 above");
  // A third one is usual.
  values[20] = 70;
  const Usual slower = ui::usual(values, .99, "ms");
  EXPECT_GE(slower.axis.max, 70);
  EXPECT_LT(slower.axis.max, 200);
  EXPECT_EQ(slower.above, std::vector<double>{3});
}

TEST(UsualAxis, WhatTheRoundEndHoldsIsNotMarked) {
  std::vector<double> values(100, 3.9);
  values[0] = 3.95;
  const Usual usual = ui::usual(values, .99, "ms");
  EXPECT_EQ(usual.axis.max, 4);
  EXPECT_TRUE(usual.above.empty());
  EXPECT_EQ(above_words(usual), "");
}

TEST(UsualAxis, OfFewOrNoValues) {
  const Usual none = ui::usual({}, .99, "ms");
  EXPECT_EQ(none.axis.min, 0);
  EXPECT_GT(none.axis.max, 0);
  const std::vector<double> few{1, 2, 50};
  const Usual all = ui::usual(few, .99, "ms");
  EXPECT_GE(all.axis.max, 50);
  EXPECT_TRUE(all.above.empty());
  std::vector<double> holes(200, 1);
  holes[0] = std::numeric_limits<double>::quiet_NaN();
  holes[1] = std::numeric_limits<double>::infinity();
  const Usual usual = ui::usual(holes, .99, "ms");
  EXPECT_EQ(usual.axis.max, 1);
  EXPECT_EQ(usual.above, std::vector<double>{1});
}

}  // namespace
}  // namespace warploom::ui
