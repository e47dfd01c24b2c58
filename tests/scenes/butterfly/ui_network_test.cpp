#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/kernels/occupancy.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/described.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// What the networks of two tracks have in common, and how the scene's pictures say what they show.

namespace warploom {
namespace {

struct UiNetwork : DriverTest {
  UiNetwork() { d.open("butterfly"); }
  Picture& picture(std::size_t track, std::size_t number = 0) {
    return *d.simulation().track(track).pictures()[number];
  }
  const NetworkReport& network(std::size_t track) { return d.simulation().track(track).need<NetworkFacet>().network(); }
  /// Paints a whole picture: what is told of a wire is of the values that were painted last.
  std::vector<Rgba> paint(std::size_t track, std::size_t number, int width, int height) {
    Queue queue(Backend::cpu);
    std::vector<Rgba> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const auto sides = picture(track, number).extent();
    PictureRequest request;
    request.camera = {sides[0] / 2, sides[1] / 2, sides[0] / width, sides[1] / height};
    request.target = {0, pixels.data(), width, height};
    picture(track, number).paint(queue, request);
    return pixels;
  }
  void paint_networks() {
    for (std::size_t i = 0; i < d.simulation().size(); ++i) paint(i, 0, 200, 160);
  }
  /// Picks a wire as a click in a track's network does, and shows what all say of it.
  void pick(std::size_t track, std::uint32_t element, int stage) {
    d.model.picked = wire_selection(element, stage, network(track));
    d.frames(2);
  }
  std::string told_stage(std::size_t track) {
    return row_of(d.simulation().track(track).need<Described>().describe(d.model.picked), "stage");
  }
  /// The outlines of what is picked, and what is said in place of one.
  std::vector<Outline> marks(std::size_t track) {
    return picture(track).marks(d.model.selected_in(track, d.model.picked));
  }
  /// What is written in a pane.
  std::vector<SeenText> words_in(const std::string& path) {
    const auto& pane = d.widget(path);
    std::vector<SeenText> all = TextReader().read();
    std::erase_if(all, [&](const SeenText& text) {
      return text.min.x < pane.min.x || text.max.x > pane.max.x || text.min.y < pane.min.y || text.max.y > pane.max.y;
    });
    return all;
  }
  std::multiset<std::string> said_in(const std::string& path) {
    std::multiset<std::string> all;
    for (const SeenText& text : words_in(path)) all.insert(text.words);
    return all;
  }
};

TEST_F(UiNetwork, NetworksOfDifferentStagesAreLinkedByInputAndOutputAlone) {
  const struct {
    const char* algorithm;
    int of_a, of_b;
  } all[] = {{"scan", 6, 11}, {"sort", 21, 21}, {"tridiagonal", 12, 6}};
  for (const auto& [algorithm, of_a, of_b] : all) {
    d.show({{"algorithm", std::string(algorithm)}});
    paint_networks();
    ASSERT_EQ(network(0).stages, of_a) << algorithm;
    ASSERT_EQ(network(1).stages, of_b) << algorithm;
    for (const int stage : {0, of_a}) {
      pick(0, 26, stage);
      EXPECT_EQ(told_stage(0), std::to_string(stage) + " of " + std::to_string(of_a));
      EXPECT_EQ(told_stage(1), std::to_string(stage ? of_b : 0) + " of " + std::to_string(of_b)) << algorithm;
      ASSERT_EQ(marks(1).size(), 1u);
      EXPECT_EQ(marks(1)[0].kind, Outline::Kind::place);
      EXPECT_TRUE(says(stage ? "WIRE 26, OUTPUT" : "WIRE 26, INPUT"));
      EXPECT_FALSE(says("no such stage here"));
    }
    pick(0, 26, 3);
    EXPECT_EQ(told_stage(0), "3 of " + std::to_string(of_a));
    EXPECT_EQ(told_stage(1), "no such stage here") << algorithm;
    ASSERT_EQ(marks(1).size(), 1u);
    EXPECT_EQ(marks(1)[0].kind, Outline::Kind::word) << "nothing is outlined as if it were the same";
    EXPECT_TRUE(says("WIRE 26"));
    EXPECT_FALSE(says("WIRE 26, STAGE")) << "each track tells a stage of its own";
    const auto in_picture = said_in("data_B/picture");
    EXPECT_TRUE(std::ranges::any_of(in_picture, [](const std::string& words) {
      return without_spaces(words).find("nosuchstagehere") != std::string::npos;
    })) << algorithm;
  }
}

TEST_F(UiNetwork, TransformsAreLinkedByTheDigitsThatArePaired) {
  d.show({{"tracks", std::vector<std::string>{"radix2", "radix8", "radix2/shuffle", "radix4"}}});
  paint_networks();
  const auto value = [&](std::size_t track) {
    return row_of(d.simulation().track(track).need<Described>().describe(d.model.picked), "value");
  };
  for (int stage = 0; stage <= 6; ++stage) {
    pick(0, 26, stage);
    EXPECT_EQ(told_stage(1), stage % 3 ? "no such stage here" : std::to_string(stage / 3) + " of 2");
    EXPECT_EQ(told_stage(2), std::to_string(stage) + " of 6");
    EXPECT_EQ(told_stage(3), stage % 2 ? "no such stage here" : std::to_string(stage / 2) + " of 3");
    for (const std::size_t other : {1u, 2u, 3u})
      if (!value(other).empty()) {
        EXPECT_EQ(value(other), value(0)) << stage;
      }
  }
  // The other way round, and as older scene texts have it: a stage of as many.
  pick(1, 26, 1);
  EXPECT_EQ(told_stage(0), "3 of 6");
  for (const Index3 old : {Index3{26, 1, 2}, Index3{26, 3, 6}}) {
    d.model.picked = {wire_space, old, 0, {}};
    EXPECT_EQ(told_stage(1), "1 of 2");
  }
}

/// Below every network: in, its stages from 1 on, out; what they pair in a second line, written in one way.
TEST_F(UiNetwork, StagesAreLabelledAlikeInEveryNetworkAndAtEverySize) {
  const struct {
    float width, height, scale;
  } sizes[] = {{900, 600, 1}, {1280, 720, 1}, {1600, 900, 1}, {2560, 1440, 2}};
  for (const auto& size : sizes)
    for (const char* algorithm : {"fft", "real_fft", "dct", "scan", "tridiagonal", "sort"})
      for (const std::int64_t n : {3, 6}) {
        Driver other({size.width, size.height}, size.scale, n == 3 ? "light" : "dark");
        other.open("butterfly", {{"algorithm", std::string(algorithm)}, {"n", n}});
        other.frames(2);
        const bool narrow = size.width / size.scale < 1600;  // the title of the digits may be left out
        const std::string what = std::string(algorithm) + " at " + std::to_string(int(size.width));
        for (const std::size_t track : {0u, 1u}) {
          const auto& pane = other.widget(track ? "data_B/picture" : "data_A/picture");
          std::set<std::string> words;
          for (const SeenText& text : TextReader().read())
            if (text.min.x >= pane.min.x && text.max.x <= pane.max.x && text.min.y > pane.min.y + 30 * size.scale &&
                text.max.y <= pane.max.y) {
              // What stands close is read as one.
              std::istringstream all(text.words);
              for (std::string word; all >> word;) words.insert(word);
              words.insert(without_spaces(text.words));
            }
          const int stages = other.simulation().track(track).need<NetworkFacet>().network().stages;
          const auto one_of = [&](std::initializer_list<const char*> all) {
            return std::ranges::any_of(all, [&](const char* word) { return words.contains(word); });
          };
          EXPECT_TRUE(words.contains("in")) << what;
          EXPECT_TRUE(words.contains("out")) << what;
          EXPECT_TRUE(words.contains("1")) << what;
          if (size.width >= 1280 && stages <= 6) {
            EXPECT_TRUE(words.contains(std::to_string(stages))) << what;
          }
          const bool transform = std::string(algorithm) != "scan" && std::string(algorithm) != "tridiagonal" &&
                                 std::string(algorithm) != "sort";
          if (transform) {
            EXPECT_TRUE(words.contains("digits") || narrow) << what;
            EXPECT_FALSE(std::ranges::any_of(words, [](const std::string& word) {
              return word.starts_with("digit ") || word.find("..") != std::string::npos;
            })) << what;
          } else {
            EXPECT_TRUE(one_of({"distance", "dist."}) || narrow) << what;
          }
          const bool packed = std::string(algorithm) == "real_fft" || std::string(algorithm) == "dct";
          EXPECT_EQ(std::ranges::any_of(words,
                                        [](const std::string& word) {
                                          return word == "reals" || word.find("tworealsawire") != std::string::npos;
                                        }),
                    packed)
              << what;
        }
      }
}

TEST_F(UiNetwork, TheTableOverLongNetworksSaysWhatItsRowsAre) {
  d.resize({1600, 900});
  d.show(
      {{"n", std::int64_t{11}}, {"batch", std::int64_t{2}}, {"tracks", std::vector<std::string>{"radix2", "radix16"}}});
  for (const char* path : {"data_A/picture", "data_B/picture"}) {
    const auto said = said_in(path);
    for (const char* title : {"data by", "barriers", "digits"}) EXPECT_TRUE(said.contains(title)) << path << title;
    EXPECT_TRUE(said.contains("bank conflicts") || said.contains("conflicts") || said.contains("banks")) << path;
  }
  EXPECT_TRUE(said_in("data_B/picture").contains("none"));
}

/// The waterfall fills its pane from the first outputs on, and says what its columns and its rows are.
TEST_F(UiNetwork, AWaterfallHasAxesAndFillsItsPane) {
  d.show({{"tracks", std::vector<std::string>{"radix2"}}, {"signal", std::string("noise")}});
  d.model.view.pictures = {"waterfall", "network"};
  for (const int steps : {1, 20}) {
    while (d.steps() < static_cast<std::uint64_t>(steps)) d.run("step");
    const auto pixels = paint(0, 3, 64, 240);
    int filled = 0;
    for (std::size_t row = 0; row < 240; ++row) filled += pixels[row * 64 + 32] != pixels[239 * 64 + 32];
    if (steps > 7) {
      EXPECT_GT(filled, 120) << steps;
    }
    d.frames(2);
    EXPECT_TRUE(says("step " + std::to_string(steps) + ", the newest"));
    EXPECT_TRUE(says("bin 0"));
    EXPECT_TRUE(says("bin 63") || says("63"));
  }
  EXPECT_TRUE(says("step 0")) << "the oldest that is kept";
  const auto& pane = d.widget("data_A/picture");
  const Picture& waterfall = picture(0, 3);
  const auto sides = waterfall.extent();
  const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation(), nullptr, &d.wants};
  const Plane plane = plane_of(panel, {0, 3, false, {pane.min, pane.max}}, waterfall);
  const ImVec2 low = plane.screen(0, 0), high = plane.screen(sides[0], sides[1]);
  EXPECT_GT((high.x - low.x) * (high.y - low.y), .75f * (pane.max.x - pane.min.x) * (pane.max.y - pane.min.y));
  d.model.view.pictures = {"rows", "network"};
  d.frames(2);
  EXPECT_TRUE(says("row 63"));
}

/// Where threads are too small to be drawn, the warps of a block are told apart.
TEST_F(UiNetwork, BlocksShowTheirWarps) {
  const Picture& grid = picture(0, 1);
  ASSERT_EQ(grid.info().key, "launch");
  const auto sides = grid.extent();
  const LaunchShape shape = d.simulation().track(0).launches()[0];
  ASSERT_EQ(shape.threads.x, 32u) << "a row of threads is a warp";
  const auto pixels = paint(0, 1, static_cast<int>(sides[0]), static_cast<int>(8 * sides[1]));
  const auto at = [&](std::size_t row) { return pixels[row * static_cast<std::size_t>(sides[0]) + 7]; };
  ASSERT_EQ(shape.threads.y, 8u);
  for (std::size_t row = 1; row < 64; ++row)
    EXPECT_EQ(at(row) != at(4), row % 8 == 0) << "row " << row << ": lines between warps, and none within";
}

/// A library that is not there is grey: it says why, and choosing it changes nothing.
TEST_F(UiNetwork, VendorsThatAreNotThereAreGrey) {
  d.show({{"algorithm", std::string("tridiagonal")}});
  const auto before = d.model.scene().tracks();
  const std::string why = vendor_missing(Backend::cpu, "tridiagonal");
  ASSERT_NE(why, "") << "the CPU has no vendor for it";
  d.click("scene/map");
  d.click("scene/map/vendor");
  EXPECT_EQ(d.model.scene().tracks(), before);
  EXPECT_EQ(d.model.notice, "") << "it was not offered, so it is not refused";
  for (int i = 0; i < 40; ++i) d.frame();
  EXPECT_TRUE(says("choose thomas")) << "its tooltip says what helps";
  d.click("scene/map/thomas");
  EXPECT_EQ(d.model.scene().tracks()[0], "thomas") << "the list stayed open";
  d.look_up("Map of A: Vendor");
  for (int i = 0; i < 3; ++i) d.frame();
  d.click("palette/track_vendor");
  EXPECT_TRUE(d.model.palette_open);
  EXPECT_EQ(d.model.scene().tracks()[0], "thomas");
  for (int i = 0; i < 40; ++i) d.frame();
  EXPECT_TRUE(says("choose thomas"));
  d.key(escape);
  // One that is part of the program can be chosen.
  d.show({{"algorithm", std::string("sort")}});
  d.choose("scene/map", "vendor");
  EXPECT_EQ(d.model.scene().tracks()[0], "vendor");
}

TEST_F(UiNetwork, PlaySaysWhatAStepDoesToTheSignal) {
  const auto hovered = [&] {
    d.move({1, 1});
    d.move(Driver::centre(d.widget("top/play")));
    for (int i = 0; i < 40; ++i) d.frame();
  };
  hovered();
  EXPECT_TRUE(says("Waterfall"));
  d.show({{"algorithm", std::string("tridiagonal")}});
  hovered();
  EXPECT_TRUE(says("right-hand"));
  EXPECT_FALSE(says("Waterfall"));
  d.show({{"signal", std::string("toeplitz")}});
  hovered();
  EXPECT_TRUE(says("The input stays"));
}

TEST_F(UiNetwork, CardsSpeakPlainlyAndOfCardsOfToday) {
  d.resize({1600, 2400});
  d.show({{"tracks", std::vector<std::string>{"radix2", "radix16"}}});
  for (const Multiprocessor& one : multiprocessors) EXPECT_TRUE(says(one.name)) << one.name;
  EXPECT_FALSE(says("would hold"));
  EXPECT_TRUE(says("reads, not")) << "what a bank conflict costs";
  EXPECT_TRUE(says("by the path of their data"));
  EXPECT_FALSE(says("LOOKING"));
}

/// What others published is named in the plot of rates.
TEST_F(UiNetwork, ThePublishedCurveIsNamedInThePlotOfRates) {
  d.resize({1600, 900});
  d.model.view.plots = {"rate", "times", "depth"};
  d.run("step");
  d.refresh();
  EXPECT_TRUE(says("published: GTX 580"));
}

/// The lesson of two tracks: fewer stages and exchanges, passes over memory, bank conflicts.
TEST_F(UiNetwork, TracksAreComparedByTheirLesson) {
  const auto against = [&](const std::string& algorithm, const std::vector<std::string>& tracks, std::int64_t n) {
    d.show({{"algorithm", algorithm}, {"n", n}});
    d.show({{"tracks", tracks}});
    const auto words = d.simulation().track(1).need<Compared>().against(d.simulation().track(0), "A");
    return words.empty() ? std::string() : words[0];
  };
  EXPECT_EQ(against("fft", {"radix2", "radix8"}, 6), "takes 2 stages and 1 exchange between threads; A takes 6 and 5");
  EXPECT_EQ(against("fft", {"radix2", "radix2"}, 6), "");
  EXPECT_EQ(against("fft", {"radix2", "radix2/global"}, 6), "passes over the data in memory 6 times, A once");
  EXPECT_TRUE(
      against("fft", {"radix16", "radix16/shared/swizzled"}, 11).starts_with("has no bank conflicts; those of A"));
  EXPECT_TRUE(against("fft", {"radix16/shared/swizzled", "radix16"}, 11).ends_with("bank conflicts, A not at all"));
  EXPECT_EQ(against("fft", {"index_digit", "index_digit/tuned"}, 9),
            "needs no barrier: what threads exchange stays within a warp; A needs 3");
  EXPECT_EQ(against("fft", {"index_digit/tuned", "index_digit"}, 9), "needs 3 barriers; A needs none");
  EXPECT_EQ(against("scan", {"kogge_stone", "brent_kung"}, 6),
            "takes 11 stages, 120 operators and 9 exchanges between threads; A takes 6, 321 and 6");
}

/// A library that is not there for an algorithm leaves when that is chosen, and this is said; one that is there stays.
TEST_F(UiNetwork, AMissingLibraryDoesNotHoldTheAlgorithm) {
  d.show({{"algorithm", std::string("sort")}});
  d.show({{"tracks", std::vector<std::string>{"bitonic/tuned", "vendor"}}});
  d.show({{"algorithm", std::string("fft")}});
  const bool there = vendor_missing(d.model.runner().backend(), "fft").empty();
  EXPECT_EQ(std::ranges::count(d.model.scene().tracks(), "vendor"), there ? 1 : 0);
  EXPECT_FALSE(d.model.scene().tracks().empty());
  EXPECT_EQ(d.model.notice.find("vendor is left out: ") == std::string::npos, there) << d.model.notice;
}

}  // namespace
}  // namespace warploom
