#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/networked.h"
#include "tests/ui_driver.h"
#include "tests/ui_glyphs.h"

// The scene of butterflies in the real panels.

namespace warploom {
namespace {

class UiButterfly : public testing::Test {
 protected:
  UiButterfly() : d({1600, 1200}) {
    select_scene(d.model, "butterfly");
    d.model.rebuild();
    d.frames(3);
  }
  void show(const std::vector<std::pair<std::string, Value>>& values) {
    ASSERT_TRUE(d.model.set(values)) << d.model.notice;
    d.frames(3);
  }
  static bool says(const std::string& words) {
    const auto all = TextReader().read();
    return std::any_of(all.begin(), all.end(), [&](const SeenText& text) { return text.words.find(words) + 1 > 0; });
  }
  std::vector<std::pair<std::string, std::string>> told(std::size_t track, Index3 wire) {
    return d.simulation().track(track).need<Described>().describe({"wire", wire, 0, {}});
  }
  /// What is painted is told by: the driver has no painter.
  void paint() {
    Queue queue(Backend::cpu);
    std::vector<Rgba> pixels(200 * 160);
    for (std::size_t i = 0; i < d.simulation().size(); ++i) {
      PictureRequest request;
      request.camera = {32, 32, .5, .5};
      request.target = {0, pixels.data(), 200, 160};
      d.simulation().track(i).pictures()[0]->paint(queue, request);
    }
  }
  Driver d;
};

TEST_F(UiButterfly, StepsAgreesAndShowsItsPictures) {
  ASSERT_EQ(d.simulation().size(), 2u);
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_EQ(d.steps(), 3u);
  EXPECT_TRUE(d.seals_agree());
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_TRUE(d.has("grid_A/grid"));
  EXPECT_TRUE(says("exchanges"));
  EXPECT_TRUE(says("wavefronts"));
}

TEST_F(UiButterfly, LensesFollowTheStageThatIsPicked) {
  d.resize({1600, 2000});
  d.frames(3);
  EXPECT_TRUE(says("0 of 6, as loaded"));
  EXPECT_TRUE(says("swizzled"));  // banks, in every layout
  EXPECT_TRUE(says("Kepler would hold"));
  d.run("formula_next");
  d.frames(2);
  EXPECT_EQ(d.model.picked, (Selection{"wire", {0, 1, 6}, 0, {}}));
  EXPECT_TRUE(says("1 of 6"));
  d.run("formula_next");
  d.run("formula_previous");
  EXPECT_EQ(d.model.picked.at.y, 1u);
  for (int i = 0; i < 9; ++i) d.run("formula_next");
  EXPECT_EQ(d.model.picked.at.y, 6u) << "the last stage is the last";
  // Digit 6 is paired first and in the register then; at the end it is digit 1.
  const NetworkReport& network = d.simulation().track(0).need<Networked>().network();
  ASSERT_EQ(network.places.size(), 7u);
  EXPECT_TRUE(network.places[1][5].in_register);
  EXPECT_TRUE(network.places[6][0].in_register);
  EXPECT_FALSE(network.places[6][5].in_register);
  EXPECT_EQ(network.operator_steps.back().digits, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  // Of three layouts the swizzled one has no conflict.
  for (const BankUse& use : network.banks)
    if (use.layout == WordLayout::swizzled) {
      EXPECT_EQ(use.cost.read.taken, use.cost.read.ideal) << use.stage;
    }
  show({{"algorithm", std::string("sort")}, {"n", std::int64_t{3}}});
  EXPECT_TRUE(says("bitonic") || says("Bitonic"));
}

TEST_F(UiButterfly, AWireIsToldInEveryTrack) {
  EXPECT_TRUE(told(0, {5, 3, 6}).empty()) << "nothing was traced yet";
  paint();
  const auto a = told(0, {5, 3, 6}), b = told(1, {5, 3, 6});
  const auto row = [](const auto& rows, const std::string& word) -> std::string {
    for (const auto& [what, value] : rows)
      if (what == word) return value;
    return "";
  };
  EXPECT_EQ(row(a, "stage"), "3 of 6");
  EXPECT_EQ(row(b, "stage"), "1 of 2") << "as far on";
  EXPECT_EQ(row(a, "digits"), "00[0]101");
  EXPECT_EQ(row(b, "digits"), "[000]101");
  EXPECT_EQ(row(a, "value"), row(b, "value")) << "half of both transforms is the same";
  EXPECT_NE(row(a, "from 5"), "");
  d.model.picked = {"wire", {5, 3, 6}, 0, {}};
  d.frames(2);
  EXPECT_TRUE(says("digits"));
}

TEST_F(UiButterfly, AnotherAlgorithmHasItsOwnSignalAndTracks) {
  d.choose("scene/algorithm", "scan");
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"kogge_stone", "brent_kung"}));
  EXPECT_EQ(d.shown("signal"), "ones");
  d.choose("scene/algorithm", "sort");
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"bitonic", "odd_even_merge"}));
  d.run("undo");
  d.run("undo");
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"radix2", "radix8"}));
  EXPECT_EQ(d.shown("signal"), "tones");
}

TEST_F(UiButterfly, WhoDividesByZeroIsTold) {
  show({{"algorithm", std::string("tridiagonal")}, {"signal", std::string("singular")}, {"batch", std::int64_t{4}}});
  d.run("step");
  EXPECT_FALSE(d.seals_agree());
  EXPECT_TRUE(says("ZERO PIVOT"));
  EXPECT_TRUE(says("zero pivot 3, 21"));
}

TEST_F(UiButterfly, ATrackIsSwappedInMidRun) {
  for (int i = 0; i < 5; ++i) d.run("step");
  show({{"tracks", std::vector<std::string>{"radix2", "radix16/shared/swizzled"}}});
  EXPECT_EQ(d.steps(), 5u);
  d.run("step");
  EXPECT_EQ(d.steps(), 6u);
  EXPECT_TRUE(d.seals_agree());
}

}  // namespace
}  // namespace warploom
