#include <cstring>

#include "gpu/tracks/facets/budget.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/described.h"
#include "tests/viewer/ui_glyphs.h"
#include "tests/viewer/ui_seen_marks.h"

// The scene of bins in the real panels.

namespace warploom {
namespace {

struct UiBins : DriverTest {
  UiBins() {
    d.resize({1600, 1600});
    d.open("bins", {{"input", std::string("400")}});
  }
  std::string row(std::size_t track, const std::string& word, Index3 bin) {
    return row_of(d.simulation().track(track).need<Described>().describe({"bin", bin, 0, {}}), word);
  }
  /// What the first track dumps under this name.
  DumpArray dumped(const std::string& name) {
    return d.model.runner().ask([&](Queue& queue, Simulation& all) {
      for (const auto& array : all.track(0).dumps(queue))
        if (array.name == name) return array;
      return DumpArray{};
    });
  }
};

TEST_F(UiBins, StepsAgreesAndShowsItsPictures) {
  ASSERT_EQ(d.simulation().size(), 2u);
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_EQ(d.steps(), 3u);
  EXPECT_TRUE(d.seals_agree());
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_TRUE(d.has("grid_A/grid"));
  EXPECT_TRUE(d.has("scene/view/main_picture"));
  d.choose("scene/view/main_picture", "output");
  EXPECT_EQ(d.model.view.pictures[0], "output");
  d.choose("scene/view/side_picture", "launch");
  EXPECT_EQ(d.model.view.pictures[1], "launch");
  EXPECT_EQ(d.wants.size(), 4u);
}

TEST_F(UiBins, ABinIsMarkedInEveryTrackAndTold) {
  d.run("step");
  d.move(d.cell_at(0, {3, 4, 0}));
  ASSERT_EQ(d.model.hover.space, "bin");
  EXPECT_EQ(d.model.hover.at.x, 3u);
  EXPECT_EQ(d.model.hover.at.y, 4u);
  EXPECT_EQ(unmarked(d), "");
  d.click_at(d.cell_at(1, {5, 2, 0}));
  ASSERT_EQ(d.model.picked.space, "bin");
  // Told as the dumps have it.
  const Index3 bin = d.model.picked.at;
  const DumpArray counts = dumped("counts");
  const Index3 extent{static_cast<std::uint32_t>(counts.shape[2]), static_cast<std::uint32_t>(counts.shape[1]), 0};
  std::uint32_t depth = 0;
  std::memcpy(&depth, counts.bytes.data() + 4 * linear_index(bin, extent), 4);
  EXPECT_EQ(row(0, "depth", bin), std::to_string(depth) + (depth == 1 ? " element" : " elements"));
  EXPECT_EQ(row(1, "depth", bin), row(0, "depth", bin));
  // The deepest of those that lie behind each other was meant.
  for (std::uint32_t z = 0; z < counts.shape[0]; ++z) {
    std::uint32_t other = 0;
    std::memcpy(&other, counts.bytes.data() + 4 * linear_index({bin.x, bin.y, z}, extent), 4);
    EXPECT_LE(other, depth);
  }
}

TEST_F(UiBins, TheCapIsDraggedInTheHistogram) {
  d.show(
      {{"tracks", std::vector<std::string>{"compact/range/spill", "regular/count/spill"}}, {"cap", std::string("3")}});
  d.run("step");
  const std::string handle = "right/curves/depths/handle";
  ASSERT_TRUE(d.has(handle)) << "no handle";
  const auto spilled = [&] { return d.simulation().track(0).need<Curves>().curves()->at(0).rows.back().second; };
  const std::string before = spilled();
  const auto at = d.widget(handle);
  d.click_at({at.min.x + 1, (at.min.y + at.max.y) / 2});
  d.frames(3);
  EXPECT_EQ(d.shown("cap"), "0");
  EXPECT_NE(spilled(), before);
  EXPECT_EQ(d.steps(), 1u) << "the state stays";
  EXPECT_TRUE(d.seals_agree());
  d.run("undo");
  EXPECT_EQ(d.shown("cap"), "3");
}

TEST_F(UiBins, ADotIsAnElementInEveryPicture) {
  Queue questions(Backend::cpu, true, 1);
  d.questions = &questions;
  d.run("step");
  const DumpArray elements = dumped("elements");
  float at[4];
  std::memcpy(at, elements.bytes.data() + std::size_t{16} * 17, sizeof at);
  const ImVec2 dot = d.plane(1, false).screen(double{at[0]}, double{at[1]});  // bins have side 1
  d.move(dot);
  ASSERT_EQ(d.model.hover.space, "element") << dot.x << ", " << dot.y;
  EXPECT_EQ(unmarked(d), "");
  d.click_at(dot);
  ASSERT_EQ(d.model.picked.space, "element");
  const std::uint32_t number = d.model.picked.at.x;
  d.move({5, 5});
  EXPECT_EQ(d.model.picked.at.x, number) << "it is kept";
  for (std::size_t track = 0; track < 2; ++track) {
    const auto rows = d.simulation().track(track).need<Described>().describe(d.model.picked);
    EXPECT_NE(row_of(rows, "slot"), "");
    EXPECT_NE(row_of(rows, "reaches"), "");
    EXPECT_EQ(row_of(rows, "mass"), "1");
  }
  EXPECT_EQ(selection_text(d.model.picked), "element:" + std::to_string(number));
  // It is nobody's own: that the track goes where it was picked changes nothing.
  d.run("remove_track");
  d.frames(3);
  EXPECT_EQ(d.simulation().size(), 1u);
  EXPECT_EQ(d.model.picked.space, "element");
  // But not among fewer elements.
  d.model.picked.at.x = 399;
  d.show({{"input", std::string("100")}});
  d.frames(3);
  EXPECT_TRUE(d.model.picked.empty());
  d.questions = nullptr;
}

TEST_F(UiBins, LayersAreShownOnTheWholeAxis) {
  d.key('X');
  EXPECT_EQ(d.model.view.solid.slice_axis, 0);
  const Picture& bins = *d.simulation().track(0).pictures()[0];
  const Index3 extent{static_cast<std::uint32_t>(bins.extent()[0]), static_cast<std::uint32_t>(bins.extent()[1]), 0};
  EXPECT_EQ(bins.extent({1, 0, .5})[0], extent.y) << "along x: y and z are seen";
  d.frames(2);
  d.move(d.cell_at(0, {1, 1, 0}));
  ASSERT_EQ(d.model.hover.space, "bin");
  EXPECT_EQ(d.model.hover.at, (Index3{extent.x / 2, 1, 1}));
  EXPECT_EQ(unmarked(d), "");
}

TEST_F(UiBins, AnotherApplicationBringsItsOwn) {
  d.choose("scene/application", "mri");
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"compact/bin", "compact/range"}));
  d.show({{"input", std::string("300")}});
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
  d.choose("scene/view/main_picture", "image");
  EXPECT_EQ(d.model.view.pictures[0], "image");
  d.choose("scene/application", "blinn");
  d.show({{"input", std::string("40")}});
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"regular/count", "compact/range"}));
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
  d.choose("scene/view/main_picture", "output");
  d.move(d.cell_at(0, {4, 5, 0}));
  EXPECT_EQ(d.model.hover.space, Selection::cell);
  EXPECT_EQ(unmarked(d), "");
}

/// What was chosen stays, where the other application has it; a cap is of one application.
TEST_F(UiBins, AnotherApplicationKeepsTheTracksItHas) {
  d.show({{"tracks", std::vector<std::string>{"regular/count/spill"}}, {"cap", std::string("2")}});
  d.show({{"application", std::string("cutcp")}, {"input", std::string("60")}, {"spacing", 4.}});
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"regular/count/spill"}));
  EXPECT_EQ(d.model.notice, "Potential: cap auto, as usual there");
  d.show({{"application", std::string("mri")}, {"input", std::string("60")}});
  d.show({{"tracks", std::vector<std::string>{"compact/subproblem", "compact/range/spill"}}});
  d.show({{"application", std::string("blinn")}, {"input", std::string("60")}});
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"compact/subproblem", "compact/range/spill"}));
  EXPECT_EQ(d.model.notice, "");
  ASSERT_TRUE(d.model.set("application", std::string("nbody")));
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"regular/count/spill"}));
  EXPECT_EQ(d.shown("cap"), "2");
  EXPECT_EQ(d.model.notice, "Bodies has no compact/subproblem: tracks regular/count/spill, cap 2, as it was left");
}

/// Switching there and back brings what was chosen for each: input, tracks, cap and pictures.
TEST_F(UiBins, EachApplicationKeepsWhatWasChosenForIt) {
  using Words = std::vector<std::string>;
  d.show({{"application", std::string("cutcp")}, {"input", std::string("60")}, {"spacing", 4.}});
  d.show({{"tracks", Words{"regular/count", "regular/count/spill"}}, {"cap", std::string("2")}});
  d.choose("scene/view/main_picture", "memory");
  d.show({{"application", std::string("mri")}, {"input", std::string("60")}});
  d.show({{"tracks", Words{"compact/bin"}}});
  EXPECT_EQ(d.shown("cap"), "auto");
  d.choose("scene/view/main_picture", "image");
  d.choose("scene/application", "cutcp");
  EXPECT_EQ(d.model.scene().tracks(), (Words{"regular/count", "regular/count/spill"}));
  EXPECT_EQ(d.shown("cap"), "2");
  EXPECT_EQ(d.shown("input"), "60");
  EXPECT_EQ(d.shown("spacing"), "4");
  EXPECT_EQ(d.model.view.pictures[0], "memory");
  EXPECT_NE(d.model.notice.find("tracks regular/count, regular/count/spill, cap 2, as it was left"), std::string::npos)
      << d.model.notice;
  d.run("undo");
  EXPECT_EQ(d.shown("application"), "mri");
  EXPECT_EQ(d.model.scene().tracks(), (Words{"compact/bin"}));
  EXPECT_EQ(d.model.view.pictures[0], "image");
}

/// A cap that was found is not searched for again because the track beside it changes.
TEST_F(UiBins, ACapStaysWhereAnotherTrackChanges) {
  d.show({{"tracks", std::vector<std::string>{"regular/count/spill", "compact/range"}}, {"cap", std::string("auto")}});
  const auto search = [&] { return d.simulation().track(0).need<Curves>().curves()->at(1).lines.at(0).y; };
  const auto before = search();
  d.show({{"tracks", std::vector<std::string>{"regular/count/spill", "compact/range/spill"}}});
  EXPECT_EQ(search(), before);
  d.show({{"seed", std::uint64_t{99}}});
  EXPECT_NE(search(), before) << "other elements are";
}

/// Another structure with a cap is chosen from one with a cap, also where without one it would not fit.
TEST_F(UiBins, AnotherStructureKeepsItsCap) {
  d.show({{"tracks", std::vector<std::string>{"compact/range/spill"}}, {"cap", std::string("2")}});
  d.choose("scene/map", "regular/count");
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"regular/count/spill"}));
  d.choose("scene/map", "compact/bin");
  d.frames(2);
  EXPECT_EQ(d.model.scene().tracks(), (std::vector<std::string>{"compact/bin/spill"}));
}

/// A thread serves several outputs, and none of them is mis-mapped.
TEST_F(UiBins, OutputsOfAThreadAreItsOwn) {
  Queue questions(Backend::cpu, true, 1);
  d.questions = &questions;
  d.show({{"application", std::string("cutcp")}, {"input", std::string("60")}, {"spacing", 2.}});
  d.choose("scene/view/main_picture", "output");
  d.run("step");
  for (const std::uint32_t z : {4u, 5u, 6u, 7u}) {
    d.model.picked = {Selection::cell, {3, 2, z}, 0, {}};
    d.move({1, 1});
    d.frames(2);
    EXPECT_FALSE(says("mis-mapped")) << z;
    EXPECT_TRUE(says("useful")) << z;
  }
}

TEST_F(UiBins, WhatDoesNotFitIsRefusedAndWhatRanStays) {
  d.run("step");
  const auto before = d.model.runner().simulation();
  EXPECT_FALSE(d.model.set("bin", 1e-6));
  d.frames(3);
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_NE(d.model.notice.find("larger 'bin'"), std::string::npos) << d.model.notice;
  EXPECT_EQ(d.model.runner().simulation(), before);
  EXPECT_EQ(d.shown("bin"), "0");
  EXPECT_FALSE(d.model.set("input", std::string("nowhere.npy")));
  EXPECT_EQ(d.shown("input"), "400");
  d.run("step");
  EXPECT_EQ(d.steps(), 2u);
}

TEST_F(UiBins, ASceneWhoseFileIsGoneComesBackWithItsDefaults) {
  const std::string file = folder / "atoms.xyz";
  std::ofstream(file) << "2\ntwo\nC 0 0 0\nO 1 2 3\n";
  d.show({{"application", std::string("cutcp")}, {"input", file}});
  d.run("step");
  d.click("top/fractal");
  d.frames(2);
  std::filesystem::remove(file);
  d.click("top/bins");  // the row of tabs goes on while scenes are taken back
  d.frames(2);
  EXPECT_STREQ(d.model.scene().key(), "bins");
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_NE(d.model.notice.find("atoms.xyz"), std::string::npos) << d.model.notice;
  d.run("step");
  EXPECT_TRUE(d.seals_agree());
}

TEST_F(UiBins, TheSearchAndBothItsTimesAreShown) {
  d.show({{"tracks", std::vector<std::string>{"compact/range/spill", "regular/count"}}});
  d.run("step");
  const auto curves = d.simulation().track(0).need<Curves>().curves();
  ASSERT_EQ(curves->size(), 2u);
  const CurveFigure& search = curves->at(1);
  EXPECT_EQ(search.kernels, (std::vector<std::string>{"bins.gather", "bins.spill"}));
  ASSERT_EQ(search.lines.size(), 2u);
  const auto& caps = search.lines[0].x;
  EXPECT_GE(caps.size(), 2u);
  EXPECT_LE(caps.size(), 12u);
  EXPECT_TRUE(std::is_sorted(caps.begin(), caps.end()));
  EXPECT_EQ(caps.front(), 0);
  ASSERT_TRUE(search.mark);
  EXPECT_NE(std::find(caps.begin(), caps.end(), *search.mark), caps.end());
  // A cap that is given was not searched for; of tracks without one nothing is said.
  d.show({{"cap", std::string("2")}});
  EXPECT_TRUE(d.simulation().track(0).need<Curves>().curves()->at(1).lines.empty());
  EXPECT_EQ(d.simulation().track(1).need<Curves>().curves()->size(), 1u);
}

TEST_F(UiBins, BudgetsAreThoseOfTheDepths) {
  d.run("step");
  const auto bars = d.simulation().track(0).need<BudgetFacet>().budget();
  ASSERT_EQ(bars.size(), 2u);
  const auto numbers = d.model.runner().ask([&](Queue& queue, Simulation& all) {
    std::map<std::string, double> found;
    for (const auto& [name, value] : d.model.scene().results(all, queue))
      found[name] = std::visit([](auto number) { return static_cast<double>(number); }, value);
    return found;
  });
  EXPECT_EQ(bars[0].bytes, numbers.at("bytes_regular"));
  EXPECT_EQ(bars[1].bytes, numbers.at("bytes_compact"));
  EXPECT_TRUE(bars[0].own);
  EXPECT_TRUE(d.simulation().track(1).need<BudgetFacet>().budget()[1].own);
}

}  // namespace
}  // namespace warploom
