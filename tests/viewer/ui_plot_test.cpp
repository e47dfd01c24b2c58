#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "viewer/ui/plot/figure.h"

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

Figure small_figure() {
  Figure figure{.title = "a < b & c", .x = {Scale::linear, 0, 10, "step", "step"}, .y = {Scale::linear, 0, 4, "ms"}};
  figure.curves.push_back({.name = "A", .colour = 0xff0000ff, .y = {1, 2, NAN, 4}});
  figure.curves.push_back({.name = "B", .colour = 0xff00ff00, .x = {2, 10}, .y = {.5, 3}, .stroke = Stroke::dashed});
  figure.curves.push_back({.name = "", .colour = 0xffff0000, .x = {5}, .y = {2}, .marker = Marker::dot, .line = false});
  return figure;
}

TEST(Figures, AsCsvHaveEveryPoint) {
  EXPECT_EQ(to_csv(small_figure()),
            "curve,step,ms\n\"A\",0,1\n\"A\",1,2\n\"A\",3,4\n\"B\",2,0.5\n\"B\",10,3\n\"\",5,2\n");
}

TEST(Figures, AsSvgHaveEveryCurveWhereItsValuesAre) {
  const std::string svg = to_svg(small_figure(), 1000, 500);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  // The axes run from 84 to 972 and from 444 up to 64: B's first point is at (2, 0.5), A's gap ends a line.
  EXPECT_NE(svg.find("M261.6 396.5L972.0 159.0"), std::string::npos) << svg;
  EXPECT_NE(svg.find("M84.0 349.0L172.8 254.0M350.4 64.0"), std::string::npos) << svg;
  EXPECT_NE(svg.find("stroke=\"#ff0000\""), std::string::npos) << "colours are those of the screen";
  EXPECT_NE(svg.find("<circle cx=\"528.0\" cy=\"254.0\""), std::string::npos) << svg;
}

}  // namespace
}  // namespace warploom::ui
