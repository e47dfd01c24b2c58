#include "gpu/scenes/bins/pictures/paint.h"
#include "gpu/tracks/facets/curves.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/panels/panes/orbit.h"
#include "viewer/panels/plots/plots.h"

// What the panels say of bins: legends, axes, names.

namespace warploom {
namespace {

struct UiBinsSaid : DriverTest {
  UiBinsSaid() {
    d.resize({1600, 1600});
    d.open("bins", {{"input", std::string("400")}});
    d.run("step");
  }
  /// The words within a rectangle.
  static std::vector<SeenText> words_in(const ui::WidgetRecord& area, float around) {
    std::vector<SeenText> found;
    for (const SeenText& text : TextReader().read())
      if (text.max.x > area.min.x - around && text.min.x < area.max.x + around && text.max.y > area.min.y - around &&
          text.min.y < area.max.y + around)
        found.push_back(text);
    return found;
  }
  static bool overlap(const SeenText& a, const SeenText& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
  }
};

TEST_F(UiBinsSaid, LegendsSayWhatIsCounted) {
  EXPECT_TRUE(says("in a column of 4 bins along z"));
  for (const char* words : {"padding", "elements", "table of counts", "table of starts"})
    EXPECT_TRUE(says(words)) << words;
  d.key('X');
  EXPECT_TRUE(says("in a bin, x = 5"));
  // Where it is narrow, in fewer words.
  d.key('X');
  d.key('X');
  d.key('X');
  d.resize({1280, 800});
  EXPECT_TRUE(says("in 4 bins along z"));
  // ... and where hatched bins are to be named beside.
  d.resize({1600, 1600});
  EXPECT_FALSE(says("deeper than the cap"));
  d.show({{"tracks", std::vector<std::string>{"compact/range/spill", "compact/range"}}, {"cap", std::string("2")}});
  EXPECT_TRUE(says("deeper than the cap"));
}

TEST_F(UiBinsSaid, EmptyBinsAreInTheLegend) {
  const auto named = [&] {
    const auto words = words_in(d.widget("data_A/picture"), 0);
    return std::ranges::any_of(words, [](const SeenText& text) { return text.words == "empty"; });
  };
  EXPECT_TRUE(named());
  d.resize({1280, 720});
  EXPECT_TRUE(named()) << "in a narrow pane, too";
  d.show({{"input", std::string("300")}, {"bin", 6.}});
  d.run("step");
  const auto* counted = d.simulation().track(0).pictures()[0];
  ASSERT_NE(counted->caption().find(" 0 % empty"), std::string::npos) << counted->caption();
  EXPECT_FALSE(named()) << "there are none";
}

TEST_F(UiBinsSaid, TheDepthCardNamesItsAxesAndCurves) {
  for (const char* words : {"bins (log)", "random (Poisson)", "elements in a bin"}) EXPECT_TRUE(says(words)) << words;
  const auto plot = d.widget("right/curves/depths/plot");
  std::set<std::string> numbers;
  for (const SeenText& text : words_in(plot, 40)) numbers.insert(text.words);
  for (const char* tick : {"0", "10", "100"}) EXPECT_TRUE(numbers.contains(tick)) << tick;
  // Under the mouse it says what stands there.
  d.move({plot.min.x + 1, (plot.min.y + plot.max.y) / 2});
  d.frames(2);
  const auto& bins = d.simulation().track(d.model.active_track).need<Curves>().curves()->at(0).lines.at(0);
  EXPECT_TRUE(says("elements in a bin: 0"));
  EXPECT_TRUE(says("bins: " + ui::short_number(bins.y.at(0))));
  EXPECT_TRUE(says("random (Poisson): "));
}

TEST_F(UiBinsSaid, GatherAndSpillAreNamed) {
  d.show({{"tracks", std::vector<std::string>{"regular/count/spill"}}, {"cap", std::string("auto")}});
  ASSERT_TRUE(d.has("right/curves/caps/plot"));
  const auto area = d.widget("right/curves/caps/plot");
  std::string all;
  for (const SeenText& text : words_in(area, 40)) all += text.words + "; ";
  for (const char* words : {"gather", "spill", "ms (log)", "cap (log)"})
    EXPECT_NE(all.find(words), std::string::npos) << words << " in " << all;
  d.move(Driver::centre(area));
  d.frames(2);
  EXPECT_TRUE(says("cap: "));
  EXPECT_TRUE(says("gather: "));
}

/// Of bins that are deeper than the axis goes, the last bar says so, over no other word.
TEST_F(UiBinsSaid, TheLastBarOfDeepBinsIsNamed) {
  std::string atoms = "1503\n\n";
  for (int i = 0; i < 1500; ++i) atoms += "C 1 1 1\n";
  for (int i = 0; i < 3; ++i) atoms += "O " + std::to_string(5 * i) + " 0 0\n";
  std::ofstream(folder / "pile.xyz") << atoms;
  d.show({{"application", std::string("blinn")}, {"input", folder / "pile.xyz"}});
  EXPECT_TRUE(says("1 023 and more"));
  const auto plot = d.widget("right/curves/depths/plot");
  const auto words = words_in(plot, 36);
  ASSERT_GE(words.size(), 5u);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = i + 1; j < words.size(); ++j)
      EXPECT_FALSE(overlap(words[i], words[j])) << words[i].words << " over " << words[j].words;
}

/// A scene without a theory of waste has a plot of its own there.
TEST_F(UiBinsSaid, PaddingStandsWhereThereIsNoTheory) {
  EXPECT_EQ(d.widget("plots/place_3/open").label, "Padding");
  for (const char* words : {"PADDING, %", "slots per bin", "padding", "spilled"}) EXPECT_TRUE(says(words)) << words;
  EXPECT_FALSE(says("no closed form here"));
  d.click("top/fractal");
  d.frames(2);
  EXPECT_EQ(d.widget("plots/place_3/open").label, "Threads per cell");
  d.click("top/butterfly");
  d.frames(2);
  EXPECT_EQ(d.widget("plots/place_3/open").label, "Rate");
}

TEST_F(UiBinsSaid, TheVerdictIsOfMemoryAndPadding) {
  const std::string words = verdict_text(d.simulation(), 1, 0, std::nullopt);
  EXPECT_TRUE(words.starts_with("B takes ")) << words;
  EXPECT_NE(words.find(" times less than A ("), std::string::npos) << words;
  EXPECT_EQ(words.find("threads"), std::string::npos) << words;
  d.show({{"tracks", std::vector<std::string>{"compact/range", "regular/count/spill"}}, {"cap", std::string("0")}});
  EXPECT_EQ(verdict_text(d.simulation(), 1, 0, std::nullopt),
            "B uses no bins and leaves 400 of 400 elements to the CPU.");
  EXPECT_TRUE(says("without bins, 400 of 400 spilled"));
}

/// Menus have one name each, in every scene.
TEST_F(UiBinsSaid, MenusHaveOneName) {
  EXPECT_TRUE(says("Variant"));
  EXPECT_TRUE(says("Side picture"));
  d.choose("scene/view/main_picture", "memory");
  EXPECT_FALSE(says("colouring"));
  EXPECT_TRUE(says("Colour by"));
  for (const char* scene : {"fractal", "butterfly"}) {
    d.click("top/" + std::string(scene));
    d.frames(2);
    EXPECT_TRUE(says("Variant")) << scene;
  }
}

/// What the window calls an application is its name, too: typed, and in scene texts.
TEST_F(UiBinsSaid, ApplicationsAreCalledAsTheWindowCallsThem) {
  const Parameter application = d.parameter("application");
  for (const auto& [word, key] :
       {std::pair{"bodies", "nbody"}, {"potential", "cutcp"}, {"mri", "mri"}, {"blobs", "blinn"}})
    EXPECT_EQ(std::get<std::string>(application.parse(word)), key);
  EXPECT_EQ(application.range(), "nbody (bodies), cutcp (potential), mri (mri_gridding), blinn (blobs)");
  try {
    (void)application.parse("blubs");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'blobs'"), std::string::npos) << error.what();
  }
  const auto loaded =
      read_scene_text(d.model, "schema = 1\nscene = \"bins\"\n[parameters]\napplication = \"blobs\"\ninput = \"40\"\n",
                      "text", d.model.folder);
  EXPECT_EQ(d.shown("application"), "blinn");
  EXPECT_EQ(loaded.warning, "");
}

/// No line of the box of a solid lies over what the box holds.
TEST_F(UiBinsSaid, NoEdgeOfABoxIsDrawnOverIt) {
  const std::array<double, 3> extent{20, 30, 14};
  for (const double yaw : {-2.4, -.7, .3, 1.9})
    for (const double pitch : {-.9, .5}) {
      OrbitView view;
      view.yaw = yaw;
      view.pitch = pitch;
      const Orbit orbit({{0, 0}, {400, 300}}, view, extent, false);
      const auto edges = outline_of_box(orbit, extent);
      EXPECT_EQ(edges.size(), 6u);
      for (const BoxEdge& edge : edges)
        // From the eye to a point of the edge and on: no place on the way is well within the box.
        for (const double along : {.1, .5, .9})
          for (double way = .02; way < 3; way += .005) {
            bool within = true;
            for (std::size_t a = 0; a < 3; ++a) {
              const double eye = double{orbit.camera.eye[a]}, to = edge.low[a] + along * (edge.high[a] - edge.low[a]);
              within = within && std::abs(eye + way * (to - eye)) < .49 * extent[a];
            }
            ASSERT_FALSE(within) << yaw << ", " << pitch << ": axis " << edge.axis;
          }
    }
}

/// Elements can be counted by eye in every bin, in both themes.
TEST_F(UiBinsSaid, ElementsStandOffFromTheirBins) {
  for (const char* theme : {"dark", "light"})
    for (const auto& map : d.state.colormaps) {
      d.model.view.theme = theme;
      d.model.view.colormap = map.name;
      d.ui.theme = &ui::theme(theme == std::string("light") ? ui::ThemeName::light : ui::ThemeName::dark);
      d.frame();
      const Palette& palette = d.wants.at(0).request.palette;
      for (int depth = 1; depth <= 4; ++depth) {
        const Rgba bin = palette.at(.04f + .96f * ColourPlaces::shade(static_cast<float>(depth), 4));
        EXPECT_GE(ui::contrast(PaintBins::dot(bin, palette), bin), 2.5) << theme << " " << map.name << " " << depth;
      }
    }
}

TEST_F(UiBinsSaid, ASurfaceSaysWhatItIsOf) {
  d.show({{"application", std::string("blinn")}, {"input", std::string("60")}});
  d.run("step");
  d.choose("scene/view/main_picture", "surface");
  EXPECT_TRUE(says("surface where the sum is 1"));
  for (const char* axis : {"x", "y", "z"}) {
    const auto all = words_in(d.widget("data_A/picture"), 0);
    EXPECT_TRUE(std::ranges::any_of(all, [&](const SeenText& text) { return text.words == axis; })) << axis;
  }
}

}  // namespace
}  // namespace warploom
