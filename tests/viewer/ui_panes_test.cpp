#include "gpu/tracks/facets/all.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "tests/viewer/ui_seen_marks.h"
#include "viewer/model/figures.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/ui/theme.h"

// Launch grids beside their data, picks beside what is hovered, and words that explain panes and plots.

namespace warploom {
namespace {

using UiPanes = DriverTest;

/// Whether a window drew in the colour of selections, whatever its opacity, within so many pixels of a place.
bool marked_near(const std::string& window, ImU32 colour, ImVec2 at, float within) {
  for (const ImDrawList* list : drawn_by(window))
    for (const ImDrawVert& vertex : list->VtxBuffer)
      if (((vertex.col ^ colour) & 0xffffff) == 0 && vertex.col >> 24 && std::abs(vertex.pos.x - at.x) < within &&
          std::abs(vertex.pos.y - at.y) < within)
        return true;
  return false;
}

Cell member_from(Driver& d, std::uint32_t first_row) {
  const Track& track = d.simulation().track(0);
  for (std::uint32_t y = first_row; y < track.extent().y; ++y)
    for (std::uint32_t x = 1; x < track.extent().x; ++x)
      if (track.need<Threads>().member({x, y, 0})) return {x, y, 0};
  return {};
}

TEST_F(UiPanes, AKeptPickStaysMarkedAndToldWhileSomethingElseIsHovered) {
  d.enter("scene/level", "5");
  const Cell kept = member_from(d, 25), other = member_from(d, 4);
  d.click_at(d.cell_at(0, kept));
  ASSERT_EQ(d.model.picked.at, kept);
  d.move(d.cell_at(0, other));
  ASSERT_EQ(d.model.hover.at, other);
  for (const std::size_t track : {0u, 1u}) {
    const std::string window = "data " + track_letter(d.simulation(), track);
    EXPECT_TRUE(marked_near(window, d.ui.theme->selection, d.cell_at(track, kept), 12)) << window;
    EXPECT_TRUE(marked_near(window, d.ui.theme->selection, d.cell_at(track, other), 12)) << window;
    const auto who = d.model.owner_in(track, d.model.picked);
    ASSERT_TRUE(who);
    EXPECT_TRUE(marked_near("grid " + track_letter(d.simulation(), track), d.ui.theme->selection,
                            d.thread_at(track, *who), 80));
  }
  EXPECT_TRUE(says("INSPECTOR \u00b7 CELL " + place_text(other, 2)));
  EXPECT_TRUE(says("PICKED \u00b7 CELL " + place_text(kept, 2))) << "to be compared with what is hovered";
  d.move({800, 20});
  EXPECT_TRUE(says("INSPECTOR \u00b7 CELL " + place_text(kept, 2)));
  EXPECT_FALSE(says("PICKED \u00b7")) << "it is told once";
}

TEST_F(UiPanes, AThreadIsToldAfterTheSumOfItsBlock) {
  d.enter("scene/level", "5");
  const Cell cell = member_from(d, 13);
  Owner who;
  const auto& threads = d.simulation().track(0).need<Threads>();
  ASSERT_TRUE(threads.owner(cell, who));
  const Index3 block = d.simulation().track(0).launches()[0].threads;
  std::uint64_t useful = 0;
  for (std::uint64_t i = 0; i < volume(block); ++i) {
    Owner one = who;
    one.thread = unfold(i, block);
    const auto target = threads.target(one);
    useful += target && target->useful;
  }
  ASSERT_GT(useful, 0u);
  ASSERT_LT(useful, volume(block));
  d.move(d.thread_at(0, who));
  EXPECT_TRUE(says("block " + place_text(who.block, 2)));
  EXPECT_TRUE(says(std::to_string(useful) + " of " + std::to_string(volume(block)) + " threads useful"));
}

/// How large the pictures of a track are drawn, the data and the launch grid: pixels along x.
std::pair<double, double> sizes_of(Driver& d, std::size_t track) {
  const Plane data = d.plane(track, false), grid = d.plane(track, true);
  return {data.pixels_x() * data.width, grid.pixels_x() * grid.width};
}

TEST(UiPanesOfSizes, TheLaunchGridIsAsLargeAsItsData) {
  const std::vector<std::string> names{"bounding_box", "lambda_shuffle", "lambda_serial", "lambda_serial/unroll"};
  const struct {
    ImVec2 window;
    std::size_t tracks;
    double least;
  } all[] = {{{1440, 900}, 2, 230}, {{1280, 720}, 2, 140}, {{1440, 900}, 1, 230},
             {{1600, 900}, 4, 180}, {{900, 600}, 2, 85},   {{900, 600}, 4, 60}};
  for (const auto& one : all) {
    SCOPED_TRACE(std::to_string(int(one.window.x)) + " wide, " + std::to_string(one.tracks));
    Driver d(one.window);
    d.model.set_tracks({names.begin(), names.begin() + std::ptrdiff_t(one.tracks)});
    d.frames(2);
    // That of the bounding box has as many threads as the data has places.
    const auto [data, grid] = sizes_of(d, 0);
    EXPECT_GE(grid, one.least);
    EXPECT_GE(grid, .9 * data);
    EXPECT_GE(data, .9 * grid);
  }
}

TEST_F(UiPanes, AnEdgeThatWasDraggedStandsWhereItWasLeft) {
  d.resize({1440, 900});
  const ImVec2 edge = Driver::centre(d.widget("splitters/grid"));
  d.drag(edge, {edge.x, edge.y + 120});
  d.frames(2);
  const auto [data, grid] = sizes_of(d, 0);
  EXPECT_LT(grid, .8 * data);
  EXPECT_NEAR(Driver::centre(d.widget("splitters/grid")).y, edge.y + 120, 4);
}

/// The same as `says`, of words that run over several lines.
bool says_in_lines(const std::string& part) {
  std::string all;
  for (const SeenText& text : TextReader().read()) all += without_spaces(text.words);
  return all.find(without_spaces(part)) != std::string::npos;
}

TEST_F(UiPanes, PicturesSayWhatTheirColoursStandFor) {
  d.resize({1440, 900});
  EXPECT_TRUE(says("dead"));
  EXPECT_TRUE(says("hatched: threads without work"));
  d.choose("scene/view/colour_by", "launch_order");
  EXPECT_TRUE(says("launch order: block 0"));
  // At rest over a title or a legend, what it is.
  const auto rest_at = [&](ImVec2 at) {
    d.move(at);
    for (int i = 0; i < 4; ++i) d.frame(.2f);
  };
  const auto& grid = d.widget("grid_A/grid");
  rest_at({grid.min.x + 40, grid.min.y + 16});
  EXPECT_TRUE(says_in_lines("Its hatched share is threads without work"));
  EXPECT_TRUE(says_in_lines("The blocks of threads that a launch starts"));
  const auto& data = d.widget("data_A/picture");
  rest_at({data.min.x + 40, data.max.y - 18});
  EXPECT_TRUE(says_in_lines("the block that serves the cell, in launch order"));
  rest_at({data.min.x + 40, data.min.y + 16});
  EXPECT_TRUE(says_in_lines("The domain itself"));
}

TEST_F(UiPanes, HatchingIsSeenInBothThemes) {
  for (const auto name : {ui::ThemeName::dark, ui::ThemeName::light}) {
    d.model.view.theme = name == ui::ThemeName::light ? "light" : "dark";
    d.ui.theme = &ui::theme(name);
    d.frame();
    ASSERT_FALSE(d.wants.empty());
    const Palette& palette = d.wants.back().request.palette;
    EXPECT_GE(ui::contrast(palette.hatch, palette.waste), name == ui::ThemeName::light ? 4 : 2.5);
    EXPECT_GE(ui::contrast(palette.hatch, palette.ground), name == ui::ThemeName::light ? 3 : 2.5);
  }
}

TEST_F(UiPanes, OneSampleHasNoPercentilesAndFewFigures) {
  d.resize({1440, 900});
  d.run("overlay");
  d.run("step");
  d.refresh();
  const KernelTiming* timing = d.state.shown.find(d.simulation().track(0).kernel(), 0);
  ASSERT_TRUE(timing);
  ASSERT_EQ(timing->milliseconds.samples, 1u);
  EXPECT_TRUE(std::isnan(timing->milliseconds.p5));
  EXPECT_TRUE(says("of 1 sample"));
  EXPECT_EQ(figures_text(d.simulation(), 0)[0].find("P5"), std::string::npos);
  for (int i = 0; i < 11; ++i) d.run("step");
  d.refresh();
  EXPECT_FALSE(says("of 1 sample"));
  EXPECT_NE(figures_text(d.simulation(), 0)[0].find("P5"), std::string::npos);
}

TEST(UiFigures, AMedianCarriesTheFiguresThatItsIntervalLeaves) {
  const auto figures = [](std::size_t samples, double median, double half) {
    Summary of;
    of.samples = samples, of.median = median, of.median_low = median - half, of.median_high = median + half;
    return figures_of(of);
  };
  EXPECT_EQ(figures(1, .523555, 0), 2);
  EXPECT_EQ(figures(9, .523555, .0001), 2) << "so few samples have no interval";
  EXPECT_EQ(figures(64, .523555, .2), 2);
  EXPECT_EQ(figures(64, .523555, .02), 2);
  EXPECT_EQ(figures(64, .523555, .002), 3);
  EXPECT_EQ(figures(64, .523555, 1e-7), 4);
  EXPECT_EQ(figures(64, 1.25, 0), 4) << "all alike";
  EXPECT_EQ(milliseconds_text(.523555, 2), "0.52");
  EXPECT_EQ(milliseconds_text(523.555, 2), "524");
  EXPECT_EQ(milliseconds_text(.523555), "0.5236");
  EXPECT_EQ(milliseconds_text(std::nan("")), "\u2013");
}

TEST_F(UiPanes, ResultsAndClosedFormsAreInPlainWords) {
  d.resize({1440, 900});
  EXPECT_TRUE(says("Hausdorff dimension"));
  EXPECT_TRUE(says_in_lines("The bounding box has 9.99 places per cell."));
}

TEST_F(UiPanes, CurvesThatTheLegendHasNoRoomForAreNamedInThePlot) {
  ui::Figure figure{.title = "a title that takes nearly all of the width there is"};
  figure.x = {ui::Scale::linear, 0, 10, ""};
  figure.y = {ui::Scale::linear, 0, 10, ""};
  figure.curves.push_back({.name = "A", .colour = d.ui.theme->tracks[0], .x = {0, 10}, .y = {1, 2}});
  figure.curves.push_back({.name = "published by others",
                           .colour = d.ui.theme->quiet,
                           .x = {0, 10},
                           .y = {8, 6},
                           .stroke = ui::Stroke::dashed});
  ui::move_mouse(ImGui::GetIO(), {-1, -1});
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({400, 200});
  ImGui::Begin("alone");
  ui::draw(d.ui, {{0, 0}, {400, 200}}, figure, nullptr);
  ImGui::End();
  ImGui::Render();
  EXPECT_TRUE(says("published by others"));
}

TEST_F(UiPanes, BreakItSaysWhyNothingBreaks) {
  d.run("break_it");
  EXPECT_NE(d.model.notice.find("every map of this scene is exact"), std::string::npos) << d.model.notice;
  EXPECT_NE(d.model.notice.find("Simplices"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.model.can_undo());
}

}  // namespace
}  // namespace warploom
