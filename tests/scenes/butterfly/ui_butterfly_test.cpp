#include <cmath>
#include <complex>
#include <cstdio>
#include <set>

#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/described.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// The scene of butterflies in the real panels.

namespace warploom {
namespace {

PictureRequest request_of(const Camera& camera, int width, int height, Rgba* pixels = nullptr) {
  PictureRequest request;
  request.camera = camera;
  request.target = {0, pixels, width, height};
  return request;
}

struct UiButterfly : DriverTest {
  UiButterfly() { d.open("butterfly"); }
  std::vector<std::pair<std::string, std::string>> told(std::size_t track, Index3 wire) {
    return d.simulation().track(track).need<Described>().describe({"wire", wire, 0, {}});
  }
  /// What is painted is told by: the driver has no painter.
  void paint() {
    Queue queue(Backend::cpu);
    std::vector<Rgba> pixels(200 * 160);
    for (std::size_t i = 0; i < d.simulation().size(); ++i) {
      d.simulation().track(i).pictures()[0]->paint(queue, request_of({32, 32, .5, .5}, 200, 160, pixels.data()));
    }
  }
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
  EXPECT_TRUE(says("Kepler (2012)"));
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
  const NetworkReport& network = d.simulation().track(0).need<NetworkFacet>().network();
  ASSERT_EQ(network.places.size(), 7u);
  EXPECT_EQ(network.places[1][5].of, DigitPlace::Of::registers);
  EXPECT_EQ(network.places[6][0].of, DigitPlace::Of::registers);
  EXPECT_EQ(network.places[6][5].of, DigitPlace::Of::thread);
  EXPECT_EQ(network.operator_steps.back().digits, (std::vector<int>{1, 2, 3, 4, 5, 6}));
  // Of three layouts the swizzled one has no conflict.
  for (const BankUse& use : network.banks)
    if (use.layout == WordLayout::swizzled) {
      EXPECT_EQ(use.cost.read.taken, use.cost.read.ideal) << use.stage;
    }
  d.show({{"algorithm", std::string("sort")}, {"n", std::int64_t{3}}});
  EXPECT_TRUE(says("bitonic") || says("Bitonic"));
}

TEST_F(UiButterfly, AWireIsToldInEveryTrack) {
  EXPECT_TRUE(told(0, {5, 3, 6}).empty()) << "nothing was traced yet";
  paint();
  const auto a = told(0, {5, 3, 6}), b = told(1, {5, 3, 6});
  EXPECT_EQ(row_of(a, "stage"), "3 of 6");
  EXPECT_EQ(row_of(b, "stage"), "1 of 2") << "as far on";
  EXPECT_EQ(row_of(a, "digits"), "00[0]101");
  EXPECT_EQ(row_of(b, "digits"), "[000]101");
  EXPECT_EQ(row_of(a, "value"), row_of(b, "value")) << "half of both transforms is the same";
  EXPECT_NE(row_of(a, "from 5"), "");
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
  d.show({{"algorithm", std::string("tridiagonal")}, {"signal", std::string("singular")}, {"batch", std::int64_t{4}}});
  d.run("step");
  EXPECT_FALSE(d.seals_agree());
  EXPECT_TRUE(says("ZERO PIVOT"));
  EXPECT_TRUE(says("zero pivot 3, 21"));
}

std::complex<double> complex_of(const std::string& words) {
  double re = 0, im = 0;
  char sign = '+';
  if (words.find('i') == std::string::npos) return std::stod(words);
  if (std::sscanf(words.c_str(), "%lf %c %lfi", &re, &sign, &im) == 3) return {re, sign == '-' ? -im : im};
  if (words == "i" || words == "-i") return {0, words == "i" ? 1. : -1.};
  return {0, std::stod(words)};
}

/// Its operands times what the inspector says of them are the value: line by line.
TEST_F(UiButterfly, TheArithmeticOfANodeIsTold) {
  d.show({{"tracks", std::vector<std::string>{"radix2", "radix4"}}, {"signal", std::string("noise")}});
  paint();
  for (const std::size_t track : {0u, 1u})
    for (std::uint32_t stage = 1; stage <= (track ? 3u : 6u); ++stage)
      for (const std::uint32_t e : {0u, 5u, 37u, 63u}) {
        const auto rows = told(track, {e, stage, 0});
        std::complex<double> sum = 0;
        int operands = 0;
        for (const auto& [what, value] : rows)
          if (what.starts_with("from ")) {
            const std::string times = row_of(rows, "times " + what.substr(5));
            ASSERT_NE(times, "") << what;
            sum += complex_of(value) * complex_of(times);
            ++operands;
          }
        EXPECT_EQ(operands, track ? 4 : 2);
        EXPECT_LT(std::abs(sum - complex_of(row_of(rows, "value"))), 2e-2 * std::max(1., std::abs(sum)))
            << track << " " << stage << " " << e;
      }
  d.show({{"algorithm", std::string("scan")}, {"signal", std::string("ones")}, {"n", std::int64_t{4}}});
  paint();
  EXPECT_EQ(row_of(told(0, {3, 2, 4}), "sum"), "4");
  d.show({{"algorithm", std::string("sort")}, {"signal", std::string("reversed")}, {"n", std::int64_t{3}}});
  paint();
  EXPECT_EQ(row_of(told(0, {0, 1, 0}), "minimum"), "6");
  EXPECT_EQ(row_of(told(0, {1, 1, 0}), "maximum"), "7");
}

/// Where a register is drawn there is the wire that it holds, in the picked stage, and the other way round.
TEST_F(UiButterfly, ThreadsAndTheirRegistersAreLinkedWithWires) {
  d.show(
      {{"n", std::int64_t{5}}, {"batch", std::int64_t{40}}, {"tracks", std::vector<std::string>{"radix2", "radix8"}}});
  paint();
  for (const std::size_t track : {0u, 1u}) {
    Picture& launches = *d.simulation().track(track).pictures()[1];
    ASSERT_EQ(launches.info().key, "launch");
    const NetworkReport& network = d.simulation().track(track).need<NetworkFacet>().network();
    const int stages = network.stages;
    // What the launch picture tells of the middle of a mark, while this is in focus.
    const auto told_at = [&](const Outline& mark, Index3 focus) {
      PictureRequest request =
          request_of({(mark.low[0] + mark.high[0]) / 2, (mark.low[1] + mark.high[1]) / 2, .02, .02}, 100, 100);
      request.focus = {true, focus};
      return launches.at(nullptr, request, 50, 50);
    };
    for (int stage = 0; stage <= stages; ++stage)
      for (std::uint32_t e = 0; e < 32; ++e) {
        const Selection wire = wire_selection(e, stage, network);
        const auto marks = launches.marks(d.model.selected_in(track, wire));
        ASSERT_EQ(marks.size(), 3u);
        EXPECT_EQ(told_at(marks[2], wire.at), wire) << e << " in stage " << stage;
      }
    // Another problem's thread is told by its output.
    const Selection output{"output", {3, 17, 0}, 0, {}};
    const auto marks = launches.marks(d.model.selected_in(track, output));
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_EQ(told_at(marks[2], wire_selection(0, stages, network).at), output);
  }
}

/// Rows of a waterfall move down by one each step, and stay when a track is swapped.
TEST_F(UiButterfly, AWaterfallKeepsTheLastOutputs) {
  d.show({{"tracks", std::vector<std::string>{"radix2"}}, {"signal", std::string("noise")}});
  Queue queue(Backend::cpu);
  const auto paint_rows = [&](std::size_t picture, double high) {
    std::vector<Rgba> pixels(64 * 8);
    // A row a pixel: of a waterfall as high as 240 rows, with room for 15.
    const double each = picture == 3 ? 16 : 1;
    PictureRequest request = request_of({32, each * high, 1, each}, 64, 8, pixels.data());
    for (int i = 0; i < Palette::steps; ++i) request.palette.data[i] = rgba(static_cast<std::uint8_t>(4 * i), 0, 9);
    request.values = {0, 20};
    d.simulation().track(0).pictures()[picture]->paint(queue, request);
    return pixels;
  };
  const auto line = [](const std::vector<Rgba>& pixels, std::size_t row) {
    return std::vector<Rgba>(pixels.begin() + static_cast<std::ptrdiff_t>(64 * row),
                             pixels.begin() + static_cast<std::ptrdiff_t>(64 * row + 64));
  };
  const auto first = paint_rows(3, 4);
  EXPECT_EQ(line(first, 0), line(paint_rows(2, 4), 0)) << "the newest is the row of the outputs";
  EXPECT_NE(line(first, 0), line(first, 1)) << "nothing was before";
  d.run("step");
  const auto second = paint_rows(3, 4);
  EXPECT_EQ(line(second, 1), line(first, 0));
  EXPECT_NE(line(second, 0), line(first, 0)) << "noise is drawn anew";
  d.show({{"tracks", std::vector<std::string>{"radix4"}}});
  EXPECT_EQ(line(paint_rows(3, 4), 1), line(first, 0));
  d.run("step");
  EXPECT_EQ(line(paint_rows(3, 4), 2), line(first, 0));
  EXPECT_TRUE(d.simulation().track(0).pictures()[3]->caption().find("last 3 outputs") != std::string::npos);
}

/// Of more wires than can be told apart a stage is a box.
TEST_F(UiButterfly, LongNetworksAreBoxes) {
  d.show({{"n", std::int64_t{11}}, {"batch", std::int64_t{2}}, {"tracks", std::vector<std::string>{"radix16"}}});
  Picture& network = *d.simulation().track(0).pictures()[0];
  bool digits = false, conflicts = false;
  for (const PictureLabel& label : network.labels({})) {
    digits = digits || label.words.front() == "t8-t5";
    conflicts = conflicts || label.words.front().find("-way") != std::string::npos;
  }
  EXPECT_TRUE(digits);
  EXPECT_TRUE(conflicts);
  const auto sides = network.extent();
  std::vector<Rgba> pixels(300 * 200);
  const PictureRequest request =
      request_of({sides[0] / 2, sides[1] / 2, sides[0] / 300, sides[1] / 200}, 300, 200, pixels.data());
  Queue queue(Backend::cpu);
  network.paint(queue, request);
  EXPECT_GT(std::set<Rgba>(pixels.begin(), pixels.end()).size(), 10u);
  // What is told under a pixel is marked there.
  for (const double y : {90., 160., 185.})
    for (double x = 2; x < 300; x += 17) {
      const Selection found = network.at(nullptr, request, x, y);
      ASSERT_EQ(found.space, "wire");
      const auto marks = network.marks(d.model.selected_in(0, found));
      ASSERT_EQ(marks.size(), 1u);
    }
}

/// P, and the mouse over the input's bars: a stroke is a signal, and one step of undo.
TEST_F(UiButterfly, AnInputIsDrawnByHand) {
  d.show({{"n", std::int64_t{4}}, {"tracks", std::vector<std::string>{"radix2"}}});
  paint();
  const auto bars = [&](double along, double value) {
    // Where the picture says that this value of this element is meant.
    const Plane plane = d.plane(0, false);
    const PictureRequest request = request_of(plane.camera, static_cast<int>(std::lround(plane.area.width())),
                                              static_cast<int>(std::lround(plane.area.height())));
    ImVec2 best{};
    double nearest = 1e9;
    for (float y = 0; y < plane.area.height(); y += 2)
      for (float x = 0; x < plane.area.width(); x += 1)
        if (const auto at = d.simulation().track(0).pictures()[0]->drawn(request, x, y)) {
          const double apart = std::hypot((*at)[0] - along, (*at)[1] - value);
          if (apart < nearest) nearest = apart, best = {plane.area.min.x + x, plane.area.min.y + y};
        }
    EXPECT_LT(nearest, .1);
    return best;
  };
  d.key('P');
  d.drag(bars(.02, .8), bars(.98, -.8), 24);
  d.frames(3);
  EXPECT_EQ(d.shown("signal"), "drawn");
  const auto curve = parse_curve(d.shown("curve"));
  ASSERT_EQ(curve.size(), 16u);
  for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_LT(curve[i], curve[i - 1]) << i;
  EXPECT_NEAR(curve.front(), .8, .15);
  EXPECT_NEAR(curve.back(), -.8, .15);
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
  d.run("undo");
  EXPECT_EQ(d.shown("signal"), "tones");
  d.key('P');
  EXPECT_EQ(d.model.tool, Model::Tool::look);
}

/// A string of operators is read where it is typed: what it makes of the digits, or where its mistake is.
TEST_F(UiButterfly, AStringOfOperatorsIsRead) {
  d.resize({1600, 2400});
  d.show({{"n", std::int64_t{8}}, {"tracks", std::vector<std::string>{"radix2"}}});
  d.enter("right/mapping/own", "G^2(7,2)");
  d.frames(3);
  EXPECT_EQ(d.shown("operators"), "G^2(7,2)");
  EXPECT_TRUE(says("8 3 2 7 6 5 4 1"));
  d.enter("right/mapping/own", "G(7,2) Q(1)");
  d.frames(3);
  EXPECT_EQ(d.shown("operators"), "G^2(7,2)") << "a mistake changes nothing";
  EXPECT_TRUE(says("character 8"));
  const std::string own = d.simulation().track(0).need<NetworkFacet>().network().operator_string;
  d.enter("right/mapping/own", own);
  d.frames(3);
  EXPECT_EQ(d.shown("operators"), own);
  EXPECT_TRUE(says("yes"));
}

/// Sizes that were run stay in the plot of rates.
TEST_F(UiButterfly, RatesAreKeptBySize) {
  d.model.view.plots = {"times", "rate", "depth"};
  for (const std::int64_t n : {5, 6}) {
    d.show({{"n", n}});
    for (int i = 0; i < 10; ++i) d.run("step"), d.frames(2);
    d.frames(40);
  }
  bool both = false;
  for (const auto& [name, seen] : d.state.rates) both = both || (seen.contains(32) && seen.contains(64));
  EXPECT_TRUE(both);
  EXPECT_TRUE(says("OPERATORS BY DEPTH") || says("operators by depth"));
}

TEST_F(UiButterfly, ATrackIsSwappedInMidRun) {
  for (int i = 0; i < 5; ++i) d.run("step");
  d.show({{"tracks", std::vector<std::string>{"radix2", "radix16/shared/swizzled"}}});
  EXPECT_EQ(d.steps(), 5u);
  d.run("step");
  EXPECT_EQ(d.steps(), 6u);
  EXPECT_TRUE(d.seals_agree());
}

}  // namespace
}  // namespace warploom
