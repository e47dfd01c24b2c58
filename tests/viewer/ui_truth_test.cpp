#include <fmt/format.h>

#include <set>

#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/fill.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/model/cell_look.h"
#include "viewer/model/figures.h"

// Marks, words and colours that must not mislead. Each of these did once.

namespace warploom {
namespace {

/// Square pixels of a thread of a launch grid.
double area_of_a_thread(Driver& d, std::size_t track) {
  const Plane plane = d.plane(track, true);
  return plane.pixels_x() * plane.pixels_y();
}

using UiTruth = DriverTest;

TEST_F(UiTruth, LaunchGridsOfAllTracksAreAtOneScale) {
  ASSERT_EQ(d.simulation().size(), 2u);
  const double one = area_of_a_thread(d, 0);
  EXPECT_NEAR(area_of_a_thread(d, 1), one, 1e-9 * one);
  // So the wasteful grid is the larger one, by as much as it launches more.
  const Plane box = d.plane(0, true), lambda = d.plane(1, true);
  const double launched[] = {double(counts_of(d.simulation().track(0))->launched),
                             double(counts_of(d.simulation().track(1))->launched)};
  EXPECT_NEAR(box.width * box.height * one / (lambda.width * lambda.height * one), launched[0] / launched[1], 1e-9);
  // The largest fills its pane as before.
  d.click("scene/view/one_scale");
  EXPECT_NEAR(area_of_a_thread(d, 0), one, 1e-9 * one);
  EXPECT_GT(area_of_a_thread(d, 1), 1.5 * one);
}

TEST(UiTruthEach, LaunchGridsAreAtOneScaleInPanesOfAnySize) {
  for (const auto& [width, height] : {std::pair{1440.f, 900.f}, std::pair{900.f, 600.f}, std::pair{2200.f, 800.f}}) {
    Driver d({width, height});
    for (int tracks = 3; tracks <= 4; ++tracks) {
      d.run("add_track");
      ASSERT_EQ(d.simulation().size(), std::size_t(tracks));
      const double one = area_of_a_thread(d, 0);
      for (std::size_t i = 1; i < d.simulation().size(); ++i)
        EXPECT_NEAR(area_of_a_thread(d, i), one, 1e-9 * one) << tracks << " tracks, " << width;
    }
  }
}

TEST_F(UiTruth, SolidLaunchGridsAreAtOneScaleToo) {
  d.click("top/simplex");
  d.frames(2);
  const auto cameras = [&] {
    std::vector<std::array<float, 3>> eyes;
    for (const Want& want : d.wants)
      if (want.picture == 1)
        eyes.push_back(
            {want.request.solid.camera.eye[0], want.request.solid.camera.eye[1], want.request.solid.camera.eye[2]});
    return eyes;
  };
  const auto one = cameras();
  ASSERT_EQ(one.size(), d.simulation().size());
  for (const auto& eye : one) EXPECT_EQ(eye, one[0]);
  d.model.view.one_scale = false;
  d.frames(1);
  EXPECT_NE(cameras()[1], one[0]);
}

TEST_F(UiTruth, EveryKindOfTrackHasATitleOfItsOwn) {
  for (const auto& scene : d.model.scenes()) {
    std::set<std::string> titles;
    for (const auto& kind : scene->track_kinds()) EXPECT_TRUE(titles.insert(full_title(kind)).second) << kind.name;
  }
}

TEST_F(UiTruth, ACardSaysTheWholeTitle) {
  d.model.set_tracks({"lambda_serial", "lambda_serial/unroll"});
  d.frames(2);
  EXPECT_NE(d.widget("scene/tracks/A").label, "A" + d.widget("scene/tracks/B").label.substr(1));
}

TEST_F(UiTruth, NothingIsSealedBeforeItRan) {
  d.show_inexact("24");
  d.run("reset");
  ASSERT_EQ(d.steps(), 0u);
  EXPECT_EQ(seal_words(d.simulation(), 0), (std::pair<std::string, ui::Role>{"not run yet", ui::Role::neutral}));
  d.run("step");
  EXPECT_EQ(seal_words(d.simulation(), 0), (std::pair<std::string, ui::Role>{"sealed", ui::Role::good}));
}

TEST_F(UiTruth, AMapThatGoesAstrayIsNotCalledSealedAtTheStart) {
  d.click("top/simplex");
  d.choose("scene/map", "root_fp32");
  d.enter("scene/n", "96");
  d.run("break_it");
  d.run("reset");
  const auto& track = d.simulation().track(d.model.active_track);
  ASSERT_GT(counts_of(track)->wrong, 0u);
  EXPECT_EQ(seal_words(d.simulation(), d.model.active_track).second, ui::Role::warning);
}

TEST_F(UiTruth, WhatIsTypedIsRefusedWithTheReason) {
  d.run("step");
  const auto before = d.model.values();
  for (const auto& [field, text, said] :
       {std::tuple{"level", "99", "'99' is not a whole number from 0 to 31; it stays 8"},
        {"density", "2", "a number from 0 to 1"},
        {"density", "nan", "'nan'"},
        {"rule", "B9x", "rule"},
        {"state", "/nowhere/state.npy", "/nowhere/state.npy"},
        {"steps_per_frame", "0", "from 1 to 100000"}}) {
    SCOPED_TRACE(field);
    d.model.tell("");
    d.enter(std::string("scene/") + field, text);
    EXPECT_TRUE(d.model.notice_is_error);
    EXPECT_NE(d.model.notice.find(said), std::string::npos) << d.model.notice;
    EXPECT_EQ(d.model.values(), before);
    EXPECT_EQ(d.steps(), 1u);
    EXPECT_FALSE(d.model.can_undo());
  }
  EXPECT_EQ(d.model.steps_per_frame, 1u);
}

TEST_F(UiTruth, AnEmptyPlaceHasTheThreadThatIsWastedOnIt) {
  d.enter("scene/level", "5");
  const Cell empty{20, 5, 0};
  for (const std::size_t track : {0u, 1u}) {
    const auto& threads = d.simulation().track(track).need<Threads>();
    ASSERT_FALSE(threads.member(empty));
    const auto who = d.model.owner_in(track, {Selection::cell, empty, 0, {}});
    // Held against every thread that is launched.
    std::optional<Owner> wanted;
    const LaunchShape shape = d.simulation().track(track).launches()[0];
    for (std::uint64_t b = 0; b < shape.block_count(); ++b)
      for (std::uint64_t t = 0; t < volume(shape.threads); ++t) {
        const Owner one{0, unfold(b, shape.blocks), 0, unfold(t, shape.threads)};
        if (const auto found = threads.target(one); found && found->cell == empty) wanted = one;
      }
    EXPECT_EQ(who, wanted) << track;
  }
  EXPECT_TRUE(d.model.owner_in(0, {Selection::cell, empty, 0, {}})) << "a bounding box has a thread for every place";
}

TEST_F(UiTruth, EqualValuesHaveEqualColours) {
  d.click("top/simplex");
  d.enter("scene/n", "20");
  d.choose("scene/work", "stencil");
  for (int i = 0; i < 20; ++i) d.run("step");
  // Values of their own, such as a wrong map makes: the second track's start anew.
  Queue queue(Backend::cpu, false, 2);
  Track& other = d.simulation().track(1);
  other.need<FillFacet>().fill(queue, 99, .5);
  queue.wait();
  other.publish(queue);
  (void)other.seal(queue);
  d.frame();
  const ValueRange a = d.simulation().track(0).pictures()[0]->range({}), b = other.pictures()[0]->range({});
  ASSERT_FALSE(a.empty());
  ASSERT_NE(a, b);
  int data = 0;
  for (const Want& want : d.wants)
    if (want.picture == 0) {
      EXPECT_EQ(want.request.values, a.with(b));
      ++data;
    }
  EXPECT_EQ(data, 2);
}

TEST_F(UiTruth, AStrokeIsOneStepOfUndo) {
  d.enter("scene/level", "5");
  d.enter("scene/density", "0");
  d.run("step");
  const auto seal = [&] { return d.simulation().reference_status().seal; };
  const Seal before = seal();
  d.key('P');
  d.drag(d.cell_at(0, {0, 2, 0}), d.cell_at(0, {0, 20, 0}), 8);
  const Seal first = seal();
  ASSERT_GT(first.sum, 5u);
  d.drag(d.cell_at(0, {4, 31, 0}), d.cell_at(0, {24, 31, 0}), 8);
  const Seal second = seal();
  ASSERT_GT(second.sum, first.sum);
  d.run("step");
  d.run("undo");  // and the step after it: what was painted had led there
  EXPECT_EQ(seal().hash, first.hash);
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_TRUE(d.seals_agree());
  d.run("undo");
  EXPECT_EQ(seal().hash, before.hash);
  EXPECT_EQ(d.model.runner().history(), "");
  d.run("redo");
  EXPECT_EQ(seal().hash, first.hash);
  EXPECT_EQ(d.model.runner().history(), "painted at step 1");
  d.run("undo");
  d.run("undo");  // the parameter before
  EXPECT_NE(d.shown("density"), "0");
}

/// By the mouse, across places where a sliced state goes on in other lanes: the other bits of a word must stay.
TEST_F(UiTruth, AStrokeCrossesLanesOfASlicedState) {
  d.enter("scene/level", "6");
  d.enter("scene/density", "0");
  ASSERT_TRUE(d.model.set({{"tracks", std::vector<std::string>{"bounding_box", "sliced", "compact"}}}));
  d.frames(3);
  ASSERT_EQ(d.simulation().size(), 3u);
  const auto same = [&] {
    EXPECT_TRUE(d.seals_agree());
    for (std::size_t i : {1u, 2u}) EXPECT_EQ(d.state_of(i), d.state_of(0)) << i;
  };
  // Boxes of 8 x 8 cells are in words of their own: the last row meets the borders of seven lanes, the first column
  // too.
  d.key('P');
  d.drag(d.cell_at(1, {3, 63, 0}), d.cell_at(1, {60, 63, 0}), 30);
  d.drag(d.cell_at(2, {0, 3, 0}), d.cell_at(2, {0, 60, 0}), 30);
  const Seal drawn = d.simulation().reference_status().seal;
  EXPECT_GT(drawn.sum, 100u);
  same();
  d.key('E');
  d.drag(d.cell_at(1, {20, 63, 0}), d.cell_at(1, {44, 63, 0}), 20);
  const Seal erased = d.simulation().reference_status().seal;
  EXPECT_LT(erased.sum, drawn.sum);
  same();
  d.run("undo");
  EXPECT_EQ(d.simulation().reference_status().seal.hash, drawn.hash);
  same();
  d.run("redo");
  EXPECT_EQ(d.simulation().reference_status().seal.hash, erased.hash);
  for (int i = 0; i < 4; ++i) {
    d.run("step");
    same();
  }
}

TEST_F(UiTruth, ASceneComesBackAsItWasLeft) {
  d.click("top/simplex");
  d.enter("scene/n", "40");
  for (int i = 0; i < 5; ++i) d.run("step");
  d.model.view.orbit_data[0].zoom = 2;
  d.model.picked = {Selection::cell, {3, 1, 2}, 0, {}};
  const Seal seal = d.simulation().reference_status().seal;
  d.click("top/fractal");
  d.frames(2);
  EXPECT_EQ(d.steps(), 0u);
  EXPECT_TRUE(d.model.picked.empty());
  d.enter("scene/level", "5");
  d.run("step");
  d.run("theme");
  const Seal fractal = d.simulation().reference_status().seal;
  d.click("top/simplex");
  d.frames(2);
  EXPECT_EQ(d.shown("n"), "40");
  EXPECT_EQ(d.steps(), 5u);
  EXPECT_EQ(d.simulation().reference_status().seal.hash, seal.hash);
  EXPECT_EQ(d.model.view.orbit_data[0].zoom, 2);
  EXPECT_EQ(d.model.picked.at, (Cell{3, 1, 2}));
  EXPECT_EQ(d.model.view.theme, "light") << "the theme is the window's";
  d.click("top/fractal");
  d.frames(2);
  EXPECT_EQ(d.shown("level"), "5");
  EXPECT_EQ(d.simulation().reference_status().seal.hash, fractal.hash);
}

TEST_F(UiTruth, TheVerdictSaysWhatTheFiguresSay) {
  d.enter("scene/level", "6");
  const auto& tracks = d.simulation();
  // 64 x 64 threads against 3^6 and those of holes in the blocks.
  const auto launched = counts_of(tracks.track(1))->launched;
  EXPECT_EQ(verdict_text(tracks, 1, 0, std::nullopt), "B launches " + grouped(launched) + " threads, " +
                                                          fmt::format("{:.3g}", 4096. / double(launched)) +
                                                          " times fewer than A.");
  for (const auto& [ratio, end] :
       {std::pair{Ratio{2, 1.5, 3, 20}, ", and is 2.00\u00d7 [1.50, 3.00] faster."},
        {Ratio{.5, .25, .8, 20}, ", and is 2.00\u00d7 [1.25, 4.00] slower: idle threads end early."},
        {Ratio{1.01, .9, 1.1, 20}, ", and shows no difference, [0.90, 1.10]: idle threads end early."}})
    EXPECT_TRUE(verdict_text(tracks, 1, 0, ratio).ends_with(end)) << verdict_text(tracks, 1, 0, ratio);
  EXPECT_EQ(verdict_text(tracks, 1, 0, Ratio{2, 2, 2, 3}), verdict_text(tracks, 1, 0, std::nullopt));
  d.show_inexact("24");
  const std::string words = verdict_text(d.simulation(), 1, 0, std::nullopt);
  EXPECT_TRUE(words.starts_with("B launches ")) << words;
  EXPECT_TRUE(words.ends_with(", and is inexact, so it is not timed.")) << words;
}

TEST_F(UiTruth, AFrameAsksOnlyTheTracksItShows) {
  // A panel may change the tracks in the middle of a frame, and what is drawn after it still shows those before.
  d.model.set_tracks({"lambda_table/lookup"});
  ASSERT_TRUE(d.model.set("block", std::int64_t{16})) << d.model.notice;
  const Selection cell{Selection::cell, {0, 15, 0}, 0, {}};
  const std::shared_ptr<Simulation> before = d.model.runner().simulation();
  Owner who;
  ASSERT_TRUE(before->track(0).need<Threads>().owner(cell.at, who));
  d.model.show(before);
  ASSERT_TRUE(d.model.set("block", std::int64_t{2})) << d.model.notice;
  ASSERT_NE(d.model.runner().simulation(), before);
  EXPECT_EQ(d.model.owner_in(0, cell), who) << "of what is shown";
  d.model.show(nullptr);
  EXPECT_NE(d.model.owner_in(0, cell), who) << "of what runs";
}

/// The inspector's word on the next step, held against the step itself.
void check_next(Driver& d) {
  std::vector<std::pair<Cell, CellLook>> looked;
  Queue queue(Backend::cpu);
  const Track& track = d.simulation().track(0);
  const Index3 extent = track.extent();
  for (std::uint32_t z = 0; z < extent.z; ++z)
    for (std::uint32_t y = 0; y < extent.y; ++y)
      for (std::uint32_t x = 0; x < extent.x; ++x)
        if (track.need<Threads>().member({x, y, z})) {
          const auto look = look_at(queue, track, {x, y, z});
          ASSERT_TRUE(look && look->next);
          looked.push_back({{x, y, z}, *look});
        }
  ASSERT_GT(looked.size(), 50u);
  d.run("step");
  for (const auto& [cell, before] : looked) {
    const auto now = look_at(queue, d.simulation().track(0), cell);
    ASSERT_TRUE(now);
    ASSERT_EQ(now->value != 0, *before.next) << place_text(cell, 3);
  }
}

TEST_F(UiTruth, TheInspectorsNextValueIsThatOfTheNextStep) {
  d.model.set("level", std::int64_t{4});
  d.run("step");
  check_next(d);
  d.open("simplex", {{"n", std::int64_t{9}}, {"rule", std::string("B13/S12")}});
  check_next(d);
  d.show({{"domain", std::string("triangle")}, {"n", std::int64_t{21}}});
  check_next(d);
}

}  // namespace
}  // namespace warploom
