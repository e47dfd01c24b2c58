#include <chrono>
#include <thread>

#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/tracks/facets/all.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/scenes/simplex/cards/shape_times.h"

namespace warploom {
namespace {

/// The simplex scene, small.
struct UiSimplex : DriverTest {
  UiSimplex() {
    d.click("top/simplex");
    d.enter("scene/n", "24");
    d.frames(2);
  }
  /// Two tracks, by their names.
  void show_tracks(const std::string& a, const std::string& b) {
    d.click("scene/tracks/A");
    d.choose_track(a);
    d.click("scene/tracks/B");
    d.choose_track(b);
  }
  bool agree_after_step() {
    d.run("step");
    return d.seals_agree();
  }
};

TEST_F(UiSimplex, TheTabOpensTwoSolidsATrack) {
  EXPECT_STREQ(d.model.scene().key(), "simplex");
  EXPECT_TRUE(shows(d.simulation(), PictureInfo::Shape::solid));
  std::size_t boards = 0;
  for (const auto& want : d.wants) {
    EXPECT_EQ(d.simulation().track(want.track).pictures()[want.picture]->info().shape, PictureInfo::Shape::solid);
    boards += want.picture;
  }
  EXPECT_EQ(d.wants.size(), 4u);
  EXPECT_EQ(boards, 2u);
  // The launch box stands below its domain, as in every scene.
  EXPECT_GE(d.widget("grid_A/grid").min.y, d.widget("data_A/picture").max.y - 1);
  d.click("top/fractal");
  d.click("top/simplex");
  EXPECT_EQ(d.shown("n"), "24");
  EXPECT_TRUE(agree_after_step());
}

TEST_F(UiSimplex, DragsTurnAllLinkedCameras) {
  const auto& pane = d.widget("data_B/picture");
  const OrbitView before = d.model.view.orbit_data[0];
  const ImVec2 at = Driver::centre(pane);
  d.drag(at, {at.x + 60, at.y + 20});
  const OrbitView after = d.model.view.orbit_data[1];
  EXPECT_NE(after.yaw, before.yaw);
  EXPECT_GT(after.pitch, before.pitch);
  EXPECT_EQ(d.model.view.orbit_data[0], after);
  EXPECT_EQ(d.model.view.orbit_grid[1], after);
  d.wheel(at, 3);
  EXPECT_GT(d.model.view.orbit_grid[0].zoom, 1);
  d.run("fit");
  EXPECT_EQ(d.model.view.orbit_data[2], OrbitView{});
}

TEST_F(UiSimplex, SlidersAndKeysShapeTheSolid) {
  const auto slide = [&](const std::string& path, float share) {
    const auto& knob = d.widget(path);
    const float track = (knob.max.x - knob.min.x) - d.ui.px(56);
    d.drag(Driver::centre(knob), {knob.min.x + d.ui.px(6) + share * track, Driver::centre(knob).y});
  };
  slide("scene/view/morph", .4f);
  EXPECT_GT(d.model.view.solid.morph, .2);
  EXPECT_LT(d.model.view.solid.morph, .6);
  d.run("morph");  // a synchronous model has no motion: it arrives
  EXPECT_EQ(d.model.view.solid.morph, 1);
  slide("scene/view/explode", 1);
  EXPECT_GT(d.model.view.solid.explode, 3);
  d.run("slice");
  EXPECT_EQ(d.model.view.solid.slice_axis, 0);
  d.frame();
  EXPECT_TRUE(d.has("scene/view/slice"));
  d.run("waste");
  EXPECT_FALSE(d.model.view.solid.waste);
  d.choose("scene/view/colour_by", "address");
  EXPECT_EQ(d.model.view.colour_by, ColourBy::address);
  // All of it is in the scene text, and comes back from it.
  const std::string text = scene_text(d.model);
  const ViewSettings view = d.model.view;
  d.model.view = {};
  (void)read_scene_text(d.model, text, "text", ".");
  EXPECT_EQ(d.model.view.solid, view.solid);
  EXPECT_EQ(d.model.view.colour_by, view.colour_by);
}

TEST_F(UiSimplex, TheDomainBringsItsOwnBlocksRulesAndMaps) {
  d.enter("scene/block", "10");
  d.choose("scene/domain", "triangle");
  EXPECT_EQ(d.shown("rule"), "B3/S23");
  d.enter("scene/block", "16");
  d.click("scene/tracks/B");
  d.choose_track("recursive/blocked");
  d.choose("scene/work", "distance_matrix");
  EXPECT_TRUE(agree_after_step());
  d.choose("scene/domain", "tetrahedron_corner");
  EXPECT_EQ(d.shown("rule"), "B1/S12");
  EXPECT_EQ(d.shown("block"), "8");
  EXPECT_EQ(d.shown("work"), "automaton");
  EXPECT_EQ(d.shown("tracks"), "bounding_box,root_exact");
  EXPECT_TRUE(agree_after_step());
  d.run("undo");
  EXPECT_EQ(d.shown("tracks"), "bounding_box,recursive/blocked");
}

TEST_F(UiSimplex, WidgetsThatDoNothingForTheWorkAreNotShown) {
  const auto shown = [&] {
    std::string all;
    for (const char* key : {"rule", "density", "seed", "points"})
      if (d.has(std::string("scene/") + key)) all += std::string(all.empty() ? "" : " ") + key;
    return all;
  };
  EXPECT_EQ(shown(), "rule density seed");
  for (const auto& [work, keys] : {std::pair{"stencil", "seed"},
                                   {"single_write", ""},
                                   {"triplet_energy", "seed points"},
                                   {"automaton", "rule density seed"}}) {
    d.choose("scene/work", work);
    EXPECT_EQ(shown(), keys);
    EXPECT_TRUE(d.has("scene/work") && d.has("scene/block"));
  }
  d.click("top/fractal");
  EXPECT_EQ(shown(), "rule density seed");
  d.choose("scene/work", "reduction");
  EXPECT_EQ(shown(), "density seed");
}

TEST_F(UiSimplex, ThreadsServeBoxesAndBlocksGoInGangs) {
  show_tracks("bounding_box/blocked", "root_exact/blocked");
  d.run("step");
  EXPECT_EQ(d.shown("coarsen"), "1");
  d.choose("scene/coarsen", "16");
  d.choose("scene/gang", "2");
  EXPECT_EQ(d.shown("coarsen"), "16");
  EXPECT_EQ(d.shown("gang"), "2");
  EXPECT_EQ(d.simulation().track(1).launches()[0].threads, (Index3{1, 4, 8}));
  EXPECT_EQ(d.simulation().track(1).launches()[0].gang, 2u);
  EXPECT_TRUE(agree_after_step());
  EXPECT_TRUE(d.has("right/shape/ceiling"));
  // What is picked is one of a thread's cells: its box and its item are told.
  d.model.picked = {Selection::cell, {3, 9, 14}, 0, {}};
  d.frames(2);
  const Owner who = *d.model.owner_in(1, d.model.picked);
  EXPECT_EQ(who.thread, (Index3{0, 0, 6}));
  EXPECT_EQ(who.item, 11u);
  const auto& pictures = d.simulation().track(1).pictures();
  const auto selected = d.model.selected_in(1, d.model.picked);
  EXPECT_EQ(pictures[0]->marks(selected, {}).size(), 3u);  // the block, the thread's box, the cell
  EXPECT_EQ(pictures[1]->marks(selected, {}).size(), 2u);  // the block, its gang
  // Another block lists other numbers: the best takes the place of what is not there.
  d.enter("scene/block", "16");
  EXPECT_EQ(d.shown("coarsen"), "16");
  EXPECT_EQ(d.simulation().track(1).launches()[0].threads, (Index3{1, 16, 16}));
  d.enter("scene/block", "32");
  EXPECT_EQ(d.shown("coarsen"), "auto");
  EXPECT_EQ(d.simulation().track(1).launches()[0].threads, (Index3{2, 32, 4}));
  EXPECT_TRUE(agree_after_step());
  d.run("undo");
  EXPECT_EQ(d.shown("block"), "16");
  EXPECT_EQ(d.shown("coarsen"), "16");
}

TEST_F(UiSimplex, AThreadOfSeveralCellsIsWastedOnlyWhereNoneIsThere) {
  show_tracks("bounding_box/blocked", "root_exact/blocked");
  d.choose("scene/coarsen", "16");
  const Track& track = d.simulation().track(1);
  const auto& threads = track.need<Threads>();
  // Of a block of the diagonal, every thread by its cells one by one.
  Owner who;
  ASSERT_TRUE(threads.owner({8, 8, 8}, who));
  int some = 0, none = 0;
  for (std::uint32_t i = 0; i < volume(track.launches()[0].threads); ++i) {
    who.thread = unfold(i, track.launches()[0].threads);
    std::uint32_t there = 0;
    for (who.item = 0; who.item < 16; ++who.item) {
      const auto target = threads.target(who);
      there += target && target->useful;
    }
    who.item = 0;
    ASSERT_EQ(threads.served(who).cells, there);
    const auto target = d.model.target_of({Selection::thread, {}, 1, who});
    ASSERT_TRUE(target);
    EXPECT_EQ(target->useful, there > 0);
    some += there > 0 && there < 16;
    none += there == 0;
  }
  EXPECT_GT(some, 0);
  EXPECT_GT(none, 0);
}

TEST_F(UiSimplex, TheMenuOffersWhatEveryTrackLists) {
  show_tracks("bounding_box/blocked", "root_exact");
  const auto offered = [&] { return join(texts_of(d.parameter("coarsen").choices, &Choice::key), " "); };
  EXPECT_EQ(offered(), "1 auto");
  show_tracks("bounding_box/blocked", "root_exact/blocked");
  EXPECT_EQ(offered(), "1 4 8 16 auto");
  // The window says which work the domain does not have.
  d.choose("scene/domain", "triangle");
  d.choose("scene/work", "distance_matrix");
  d.choose("scene/domain", "tetrahedron");
  EXPECT_EQ(d.shown("work"), "automaton");
  EXPECT_NE(d.model.notice.find("distance_matrix"), std::string::npos) << d.model.notice;
}

TEST_F(UiSimplex, TheGainOfAMapIsACurveOverShapes) {
  d.choose("scene/work", "single_write");
  show_tracks("bounding_box/blocked", "root_exact/blocked");
  const auto* shaped = d.simulation().track(1).facet<ShapeFacet>();
  ASSERT_TRUE(shaped);
  const WorkShape shape = shaped->shape();
  EXPECT_EQ(shape.bytes, 4. * 24 * 25 * 26 / 6);
  EXPECT_EQ(shape.launched, 18);  // ten blocks, folded into 3 x 3 x 2
  EXPECT_EQ(shaped->box_launched(8, 1), 27);
  EXPECT_EQ(shaped->box_launched(8, 2), 18);
  EXPECT_EQ(shaped->map_launched(8, 1), 10);
  EXPECT_EQ(shaped->map_launched(8, 4), 3);
  EXPECT_FALSE(shape.persistent);
  EXPECT_EQ(bound_text(shape, 1e6, 1e12), "bound by dispatch");
  EXPECT_EQ(bound_text(shape, 1e-9, 1e3), "bound by memory");
  EXPECT_EQ(bound_text(shape, 1e-9, 1e3, 1.5 * shape.memory_ms(1e3)), "bound by memory");
  EXPECT_EQ(bound_text(shape, 1e-9, 1e3, 3 * shape.memory_ms(1e3)), "bound by neither");
  EXPECT_EQ(bound_text(shape, 0, 1e3), "");
  // Where blocks cost everything the gain is theirs, where memory does it is none.
  EXPECT_DOUBLE_EQ(gain_by_law(27, 10, 1e6, 1e-9), 2.7);
  EXPECT_DOUBLE_EQ(gain_by_law(27, 10, 1e-9, 1), 1);
  EXPECT_DOUBLE_EQ(gain_by_law(3000, 500, 1000, 2), 1.5);  // 3 ms of blocks against 2 ms of work
  // The window says what is missing, and then draws it.
  d.model.machine.block_ns = .6;
  d.model.machine.copy_ceiling = 4e12;
  d.model.view.plots[2] = "shapes";
  d.run("step");
  d.frames(3);
  EXPECT_FALSE(d.has("right/shape/ceiling"));
  PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation(), nullptr, &d.wants, d.questions};
  const ui::Figure figure = plot_kind("shapes").make(panel);
  ASSERT_GE(figure.curves.size(), 4u);  // the law, a line for each number of joined blocks
  EXPECT_EQ(figure.curves[0].name, "law, 1 block");
  for (const double gain : figure.curves[0].y) EXPECT_GE(gain, 1);
}

TEST_F(UiSimplex, BreakItReachesTheFirstFailure) {
  d.click("scene/tracks/B");
  d.choose("scene/map", "root_fp32");
  EXPECT_TRUE(agree_after_step()) << "at three blocks per side it is still right";
  EXPECT_FALSE(d.simulation().ratio_to_baseline(1)) << "and still shows no ratio";
  ASSERT_TRUE(d.has("scene/break_it/slider"));
  d.click("scene/break_it/reach");
  EXPECT_EQ(d.shown("block"), "1");
  EXPECT_FALSE(d.simulation().status()[1].agrees || d.simulation().track(1).need<Counted>().counts()->wrong == 0);
  EXPECT_EQ(d.model.picked.space, Selection::cell);
  const Owner who = *d.model.owner_in(1, d.model.picked);
  const Formula formula = d.simulation().track(1).need<Explained>().formula(who);
  EXPECT_NE(formula.result.what, "serves block");
  d.click("scene/tracks/A");
  EXPECT_FALSE(d.has("scene/break_it/slider"));
}

TEST_F(UiSimplex, BreakItAddsTheMapThatBreaks) {
  const auto before = d.model.values();
  ASSERT_TRUE(applies(d.model, *find_command(std::string("break_it"))));
  d.run("break_it");
  EXPECT_EQ(d.shown("tracks"), "bounding_box,root_exact,root_fp32");
  EXPECT_EQ(d.shown("n"), "4");
  EXPECT_EQ(d.model.notice, "Root, fp32 was added: its first wrong block is number 10");
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_FALSE(d.simulation().status()[2].agrees);
  EXPECT_TRUE(d.simulation().status()[1].agrees);
  EXPECT_EQ(d.model.active_track, 2u);
  EXPECT_EQ(d.model.picked.at, (Cell{0, 0, 3}));
  d.run("undo");
  EXPECT_EQ(d.model.values(), before) << "one step of undo";
}

TEST_F(UiSimplex, ABrokenTrackStaysBrokenWhenAnotherComes) {
  d.model.set_tracks({"bounding_box", "root_exact"});
  d.run("break_it");
  const auto diverged = d.simulation().status()[2].diverged;
  ASSERT_TRUE(diverged);
  const auto steps = d.steps();
  d.run("add_track");
  ASSERT_EQ(d.simulation().size(), 4u);
  EXPECT_FALSE(d.simulation().status()[2].agrees);
  EXPECT_EQ(d.simulation().status()[2].diverged->cell, diverged->cell);
  d.run("undo");
  d.run("undo");
  d.run("redo");
  EXPECT_EQ(d.steps(), steps) << "undone and redone, it is the step of then";
  EXPECT_EQ(d.simulation().status()[2].diverged->step, diverged->step);
}

TEST_F(UiSimplex, BreakItTakesThePlaceOfTheLastOfFourTracks) {
  d.model.set_tracks({"bounding_box", "root_exact", "table", "stride_walk"});
  d.run("break_it");
  EXPECT_EQ(d.shown("tracks"), "bounding_box,root_exact,table,root_fp32");
  EXPECT_NE(d.model.notice.find("took the place of"), std::string::npos) << d.model.notice;
  d.choose("scene/work", "stencil");
  ASSERT_FALSE(d.simulation().track(3).facet<FailureFacet>()) << "such a map is not compiled for it";
  d.run("break_it");
  EXPECT_NE(d.model.notice.find("no map for this work is meant to be wrong"), std::string::npos) << d.model.notice;
}

TEST(UiSimplexThread, BreakItDoesNotMakeTheWindowWait) {
  Driver d({1280, 800}, 1, "dark", make_scenes(), false);
  d.open("simplex", {{"n", std::int64_t{24}}});
  d.settle();
  const auto before = d.model.values();
  d.run("break_it");
  d.settle();
  EXPECT_EQ(d.shown("tracks"), "bounding_box,root_exact,root_fp32") << d.model.notice;
  ASSERT_EQ(d.simulation().size(), 3u);
  EXPECT_FALSE(d.simulation().status()[2].agrees);
  d.run("undo");
  d.settle();
  EXPECT_EQ(d.model.values(), before);
}

TEST_F(UiSimplex, ThreadsOfSeveralCellsAreSaidToBeThreads) {
  show_tracks("bounding_box/blocked", "root_exact/blocked");
  d.choose("scene/coarsen", "16");
  const Picture& grid = *d.simulation().track(0).pictures()[1];
  EXPECT_EQ(grid.heading(), "3 \u00d7 3 \u00d7 3 blocks of 32 threads, each block for 8\u00b3 cells");
  d.choose("scene/coarsen", "1");
  EXPECT_EQ(d.simulation().track(0).pictures()[1]->heading(), "3 \u00d7 3 \u00d7 3 blocks of 8\u00b3 threads");
}

TEST_F(UiSimplex, TheLegendHidesNoCornerOfTheSolid) {
  d.resize({1280, 720});
  for (const auto& want : d.wants) {
    const bool side = want.picture == 1;
    const auto& pane =
        d.widget((side ? "grid_" : "data_") + track_letter(d.simulation(), want.track) + (side ? "/grid" : "/picture"));
    EXPECT_LE(float(want.place.y + want.place.height), pane.max.y - 30) << "the strip of the legend";
  }
  EXPECT_TRUE(says("hatched: threads without work"));
}

TEST_F(UiSimplex, OfADoubledCellTheInspectorNamesTheThreads) {
  // Of three layers of blocks the first is served by two, and the last by none.
  add_own(read_own_text("twice.h", "Place place(Block b, Domain) { return {b.x, b.y, b.z / 2}; }\n"));
  d.model.set_tracks({"bounding_box", "own:twice"});
  d.model.picked = {Selection::cell, {1, 2, 3}, 0, {}};
  d.frames(3);
  EXPECT_TRUE(says("missed") && says("twice")) << "the legend";
  EXPECT_TRUE(says("served 2 times"));
  EXPECT_TRUE(says("block (0, 0, 0)") && says("block (0, 0, 1)"));
  d.model.picked.at = {1, 2, 12};
  d.frames(3);
  EXPECT_FALSE(says("served 2 times"));
  d.model.set_tracks({"bounding_box"});
  drop_own("own:twice");
}

TEST_F(UiSimplex, InASmallPaneTheTitleHidesNoCornerOfTheSolid) {
  d.resize({900, 600});
  ASSERT_EQ(d.wants.size(), 4u);
  for (const auto& want : d.wants) {
    const auto& pane = d.widget((want.picture ? "grid_" : "data_") + track_letter(d.simulation(), want.track) +
                                (want.picture ? "/grid" : "/picture"));
    ASSERT_LT(pane.max.y - pane.min.y, 200);
    EXPECT_GE(static_cast<float>(want.place.y), pane.min.y + 29);
    EXPECT_GT(want.place.height, 60) << "and it is still seen";
  }
}

TEST_F(UiSimplex, MapsAreTimedForTheTheory) {
  EXPECT_TRUE(d.model.scene().need<GainTheory>().gains(d.simulation()).empty());
  d.run("time_maps");
  ASSERT_EQ(d.simulation().map_times().size(), 2u);
  EXPECT_GT(d.simulation().map_times()[1], 0);
  const auto curves = d.model.scene().need<GainTheory>().gains(d.simulation());
  ASSERT_EQ(curves.size(), 2u);  // of track B, and the layouts' bound
  EXPECT_EQ(curves[0].track, 1u);
  // At the measured side the curve is the ratio of the two times.
  double nearest = 1e9, value = 0;
  for (std::size_t i = 0; i < curves[0].n.size(); ++i)
    if (std::abs(curves[0].n[i] - 24) < nearest) nearest = std::abs(curves[0].n[i] - 24), value = curves[0].value[i];
  const auto times = d.simulation().map_times();
  EXPECT_NEAR(value / (times[0] / times[1]), 1, .15);
  d.frame();
}

}  // namespace
}  // namespace warploom
