#include "tests/row/row_parts.h"

#include "tests/row/row_scene.h"
#include "tests/row/row_track.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/export/stats.h"
#include "viewer/model/scene_parts.h"
#include "viewer/panels/plots/plots.h"

// What a scene brings along is there in menus, scene texts, stats, glossary and benchmarks, and comes from its folder.

namespace warploom {
namespace {

class RowParts : public ::testing::Test, public Driver {
 public:
  RowParts() : Driver({1600, 1200}, 1, "dark", row_alone()) {}
};

TEST_F(RowParts, MapsRunSealed) {
  ASSERT_TRUE(model.set("tracks", std::vector<std::string>{"straight", "backwards", "swapped"}));
  ASSERT_TRUE(model.set("n", std::int64_t{101}));
  for (int i = 0; i < 5; ++i) run("step");
  EXPECT_EQ(simulation().size(), 3u);
  EXPECT_TRUE(seals_agree());
}

TEST_F(RowParts, CardAndPlotAreDrawn) {
  frames(2);
  EXPECT_GE(state.own<PairsCardState>().frames, 2);
  model.view.plots[2] = "row_threads";
  frames(2);
  PanelContext panel{ui, model, state, model.runner().simulation()};
  const ui::Figure figure = plot_kind("row_threads").make(panel);
  ASSERT_EQ(figure.curves.size(), 1u);
  EXPECT_EQ(figure.curves[0].y[0], 32);
}

TEST_F(RowParts, ColourAndPlaceAreReadBackFromASceneText) {
  model.view.colour_by = parity_colour;
  model.picked = parse_selection("pair:7");
  model.view.plots[2] = "row_threads";
  frames(2);
  EXPECT_EQ(model.picked.space, pair_space) << "the track knows it";
  const std::string text = scene_text(model);
  EXPECT_NE(text.find("colour_by = 'parity'"), text.npos) << text;
  EXPECT_NE(text.find("pair:7"), text.npos) << text;
  model.view.colour_by = ColourBy::state;
  model.picked = {};
  (void)read_scene_text(model, text, "text", {});
  EXPECT_EQ(model.view.colour_by, parity_colour);
  EXPECT_EQ(model.picked.at.x, 7u);
  Queue asks(Backend::cpu, true, 1);
  questions = &asks;
  model.picked = parse_selection("pair:50");
  frames(2);
  EXPECT_TRUE(model.picked.empty()) << "100 cells have 50 pairs";
  questions = nullptr;
}

TEST_F(RowParts, StatsGlossaryAndSuites) {
  run("step");
  model.runner().collect();
  const auto stats = make_stats(model.scene(), model.runner(), 0, 1, nullptr, "", "none");
  for (const auto& track : stats["tracks"]) EXPECT_EQ(track["pairs"], 50);
  EXPECT_FALSE(meaning("pair").empty());
  bench::Settings settings;
  settings.samples = 3;
  bench::Bench run(Backend::cpu, settings);
  const auto figures = bench::find_suite("row").run(run);
  ASSERT_EQ(figures.size(), 3u);
  for (const auto& figure : figures) {
    EXPECT_TRUE(figure.verified) << figure.name;
    EXPECT_GT(figure.median, 0) << figure.name;
  }
}

}  // namespace
}  // namespace warploom
