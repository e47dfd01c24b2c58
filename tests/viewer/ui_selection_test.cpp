#include "gpu/tracks/facets/all.h"
#include "tests/viewer/ui_driver.h"

namespace warploom {
namespace {

/// A member cell that is not at the corner, found by asking the track.
Cell some_member(Driver& d, std::uint32_t from = 13) {
  const Track& track = d.simulation().track(0);
  for (std::uint32_t y = from; y < track.extent().y; ++y)
    for (std::uint32_t x = 1; x < track.extent().x; ++x)
      if (track.need<Threads>().member({x, y, 0})) return {x, y, 0};
  return {};
}

/// 32 x 32 cells: large enough on screen that a pixel tells them apart.
struct UiSelection : DriverTest {
  UiSelection() {
    d.enter("scene/level", "5");
    d.move({800, 20});
  }
};
using UiPaint = UiSelection;
using UiView = UiSelection;

TEST_F(UiSelection, ACellLightsItsOwnerInEveryTrack) {
  d.click("scene/tracks/add");
  const Cell cell = some_member(d);
  d.move(d.cell_at(1, cell));
  ASSERT_EQ(d.model.hover.space, Selection::cell);
  EXPECT_EQ(d.model.hover.at, cell);
  for (std::size_t track = 0; track < 3; ++track) {
    const auto who = d.model.owner_in(track, d.model.selection());
    ASSERT_TRUE(who) << track;
    const auto target = d.simulation().track(track).need<Threads>().target(*who);
    ASSERT_TRUE(target);
    EXPECT_EQ(target->cell, cell);
    EXPECT_TRUE(target->useful);
  }
}

TEST_F(UiSelection, AThreadLightsItsCell) {
  const Cell cell = some_member(d);
  Owner who;
  ASSERT_TRUE(d.simulation().track(1).need<Threads>().owner(cell, who));
  d.move(d.thread_at(1, who));
  ASSERT_EQ(d.model.hover.space, Selection::thread);
  EXPECT_EQ(d.model.hover.track, 1u);
  EXPECT_EQ(d.model.hover.owner.block, who.block);
  EXPECT_EQ(d.model.hover.owner.thread, who.thread);
  const auto target = d.model.target_of(d.model.selection());
  ASSERT_TRUE(target);
  EXPECT_TRUE(target->useful);
  EXPECT_EQ(target->cell, cell);
  EXPECT_TRUE(d.model.owner_in(0, d.model.selection()));
}

TEST_F(UiSelection, AWastedThreadShowsItsEmptyPlace) {
  // The upper right corner of the bounding box holds no cell of the gasket.
  const LaunchShape shape = d.simulation().track(0).launches()[0];
  Owner who;
  who.block = {shape.blocks.x - 1, 0, 0};
  who.thread = {shape.threads.x - 1, 0, 0};
  d.move(d.thread_at(0, who));
  ASSERT_EQ(d.model.hover.space, Selection::thread);
  const auto target = d.model.target_of(d.model.selection());
  ASSERT_TRUE(target);
  EXPECT_FALSE(target->useful);
  EXPECT_EQ(target->cell, (Cell{31, 0, 0}));
  EXPECT_FALSE(d.model.owner_in(1, d.model.selection()));
  d.move(d.cell_at(0, target->cell));
  ASSERT_EQ(d.model.hover.space, Selection::cell);
  EXPECT_FALSE(d.model.owner_in(1, d.model.selection()));
}

TEST_F(UiSelection, APickStaysUntilItIsClosed) {
  const Cell cell = some_member(d);
  d.click_at(d.cell_at(0, cell));
  EXPECT_EQ(d.model.picked.at, cell);
  d.move({800, 20});
  EXPECT_EQ(d.model.hover.space, Selection::none);
  EXPECT_EQ(d.model.selection().at, cell);
  d.run("step");
  EXPECT_EQ(d.model.selection().at, cell);
  d.key(256);
  EXPECT_EQ(d.model.picked.space, Selection::none);
  EXPECT_FALSE(d.model.quit);
}

TEST_F(UiSelection, APickOutsideASmallerDomainIsDroppedOrHarmless) {
  d.click_at(d.cell_at(0, some_member(d, 25)));
  d.enter("scene/level", "2");
  d.frames(2);
  EXPECT_NO_THROW((void)d.model.target_of(d.model.selection()));
  if (d.model.picked.space == Selection::cell) {
    EXPECT_LT(d.model.picked.at.y, 4u) << "a picked cell that the domain no longer has";
  }
  d.enter("scene/level", "0");
  d.frames(2);
}

TEST_F(UiSelection, DraggingPansAndPicksNothing) {
  const ImVec2 at = Driver::centre(d.widget("data_A/picture"));
  d.drag(at, {at.x + 60, at.y + 30});
  EXPECT_LT(d.model.view.data[0].x, .5);
  EXPECT_EQ(d.model.view.data[1], d.model.view.data[0]);
  EXPECT_EQ(d.model.picked.space, Selection::none);
  d.run("fit");
  EXPECT_EQ(d.model.view.data[0], PlaneView{});
}

TEST_F(UiSelection, TheWheelZoomsAroundTheMouse) {
  const Cell cell = some_member(d);
  const ImVec2 at = d.cell_at(0, cell);
  d.wheel(at, 6);
  EXPECT_GT(d.model.view.data[0].zoom, 3);
  d.move(at);
  EXPECT_EQ(d.model.hover.at, cell);
  d.wheel(at, 200);
  d.wheel(at, -400);
  EXPECT_GE(d.model.view.data[0].zoom, .5);
  d.click("scene/view/linked");
  d.wheel(Driver::centre(d.widget("data_B/picture")), 3);
  EXPECT_NE(d.model.view.data[0], d.model.view.data[1]);
}

TEST_F(UiSelection, ADoubleClickShowsEverything) {
  const ImVec2 at = Driver::centre(d.widget("data_A/picture"));
  d.wheel(at, 4);
  d.move(at);
  for (int i = 0; i < 2; ++i) d.press(true), d.press(false);
  EXPECT_EQ(d.model.view.data[0], PlaneView{});
}

TEST_F(UiPaint, AStrokeChangesTheCellsOfAllTracks) {
  d.enter("scene/density", "0");
  EXPECT_EQ(d.simulation().status()[0].seal.sum, 0u);
  d.choose("scene/view/tool", "draw");
  const Cell cell = some_member(d);
  d.drag(d.cell_at(0, cell), d.cell_at(0, {cell.x, cell.y + 10, 0}), 10);
  const auto status = d.simulation().status();
  EXPECT_GT(status[0].seal.sum, 0u);
  EXPECT_TRUE(d.seals_agree());
  for (std::size_t track = 0; track < d.simulation().size(); ++track) {
    const auto cells = d.state_of(track);
    EXPECT_EQ(cells[std::size_t{cell.y} * 32 + cell.x], 1) << track;
  }
  EXPECT_NE(d.model.runner().history().find("painted"), std::string::npos);
  EXPECT_TRUE(d.model.runner().painted());
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
  d.key('E');
  EXPECT_EQ(d.model.tool, Model::Tool::erase);
  d.click_at(d.cell_at(1, cell));
  EXPECT_EQ(d.state_of(0)[std::size_t{cell.y} * 32 + cell.x], 0);
  d.key(256);
  EXPECT_EQ(d.model.tool, Model::Tool::look);
}

TEST_F(UiPaint, ASwapOfMapsKeepsWhatWasPainted) {
  d.enter("scene/density", "0");
  d.key('P');
  d.click_at(d.cell_at(0, some_member(d)));
  const Seal painted = d.simulation().status()[0].seal;
  ASSERT_GT(painted.sum, 0u);
  d.choose("scene/map", "lambda_serial");
  EXPECT_EQ(d.simulation().status()[0].seal.hash, painted.hash);
  EXPECT_FALSE(d.model.runner().history().empty());
}

using UiInspector = DriverTest;

TEST_F(UiInspector, BracketsStepThroughTheFormula) {
  d.click("scene/tracks/B");
  const Cell cell = some_member(d, 100);
  d.wheel(d.cell_at(1, cell), 6);
  Owner who;
  ASSERT_TRUE(d.simulation().track(1).need<Threads>().owner(cell, who));
  const auto steps = d.simulation().track(1).need<Explained>().formula(who).steps.size();
  ASSERT_GT(steps, 2u);
  d.click_at(d.cell_at(1, cell));
  EXPECT_EQ(d.model.formula_level, 0);
  d.key(']');
  d.key(']');
  EXPECT_EQ(d.model.formula_level, 2);
  d.key('[');
  EXPECT_EQ(d.model.formula_level, 1);
  for (int i = 0; i < 20; ++i) d.key(']');
  EXPECT_EQ(d.model.formula_level, static_cast<int>(steps) - 1);
  for (int i = 0; i < 20; ++i) d.key('[');
  EXPECT_EQ(d.model.formula_level, 0);
}

TEST_F(UiView, CombosChangeTheView) {
  d.choose("scene/view/colour_by", "launch_order");
  EXPECT_EQ(d.model.view.colour_by, ColourBy::launch_order);
  ASSERT_FALSE(d.wants.empty());
  EXPECT_EQ(d.wants[0].request.colour_by, ColourBy::launch_order);
  d.choose("scene/view/colour_by", "warp");
  EXPECT_EQ(d.model.view.colour_by, ColourBy::warp);
  d.choose("scene/view/colormap", "viridis");
  EXPECT_EQ(d.model.view.colormap, "viridis");
  d.key('T');
  EXPECT_EQ(d.model.view.theme, "light");
  d.key(258);
  EXPECT_FALSE(d.has("scene/map"));
  EXPECT_TRUE(d.has("data_A/picture"));
  d.key(258);
  EXPECT_TRUE(d.has("scene/map"));
  d.key('O');
  EXPECT_TRUE(d.model.view.overlay);
  d.frames(3);
}

TEST_F(UiView, SplittersMoveAndStayInBounds) {
  const ImVec2 at = Driver::centre(d.widget("splitters/left"));
  d.drag({at.x, 700}, {at.x + 60, 700});
  EXPECT_EQ(d.state.layout.left_width, 332);
  d.drag({at.x + 60, 700}, {1590, 700});
  d.frames(2);
  const auto& pane = d.widget("data_A/picture");
  EXPECT_GT(pane.max.x - pane.min.x, 100);
}

TEST_F(UiView, PicturesAreAskedForWhereThePanesAre) {
  ASSERT_EQ(d.wants.size(), 4u);
  for (const auto& want : d.wants) {
    EXPECT_GT(want.place.width, 100);
    EXPECT_GT(want.place.height, 60);
  }
}

}  // namespace
}  // namespace warploom
