#include <cstdio>
#include <fstream>

#include "gpu/core/format.h"
#include "gpu/pictures/plane_layout.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/model/map_choice.h"
#include "viewer/model/presets.h"

// Sparse products in the real panels.

namespace warploom {
namespace {

struct UiSpmv : DriverTest {
  UiSpmv() { d.open("irregular"); }
  SpmvTrack& track(std::size_t i) { return dynamic_cast<SpmvTrack&>(d.simulation().track(i)); }
  /// Where a nonzero is on the screen, in the matrix or at the side.
  ImVec2 place(std::size_t i, const Selection& cell, bool side) {
    const Picture& picture = *d.simulation().track(i).pictures()[side];
    const Outline mark = picture.marks({cell, {}, {}}).back();
    return d.plane(i, side).screen((mark.low[0] + mark.high[0]) / 2, (mark.low[1] + mark.high[1]) / 2);
  }
  std::vector<std::pair<std::string, std::string>> told(std::size_t i, const Selection& cell) {
    return d.simulation().track(i).need<Described>().describe(cell);
  }
  /// All that is told of it in a line.
  std::string words(std::size_t i, const Selection& cell) {
    std::string all;
    for (const auto& [what, value] : told(i, cell)) all.append(what).append(" ").append(value).append("; ");
    return all;
  }
  std::string look() {
    const PanelContext panel{d.ui, d.model, d.state, d.model.runner().simulation()};
    return look_at_text(panel);
  }
};

TEST_F(UiSpmv, OpensStepsAndAgrees) {
  ASSERT_EQ(d.simulation().size(), 2u);
  for (int i = 0; i < 3; ++i) d.run("step");
  EXPECT_EQ(d.steps(), 3u);
  EXPECT_TRUE(d.seals_agree());
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_TRUE(d.has("grid_B/grid"));
  EXPECT_EQ(caption_text(d.model.scene()), "Circuit, 4 096 rows, 28 498 nonzeros");
  EXPECT_TRUE(says("B/nonzero"));
  EXPECT_TRUE(says("28 498 useful"));
  EXPECT_NE(look().find("The longest row has 551 nonzeros"), std::string::npos) << look();
}

TEST_F(UiSpmv, EveryTrackHasItsPicturesAndItsWords) {
  for (const TrackInfo& info : d.model.scene().track_kinds()) {
    if (info.name == "vendor") continue;
    SCOPED_TRACE(info.name);
    d.show({{"matrix", std::string("circuit")}, {"n", std::int64_t{8}}, {"tracks", std::vector{info.name}}});
    ASSERT_EQ(d.simulation().track(0).info().name, info.name);
    ASSERT_EQ(d.simulation().track(0).pictures().size(), 3u);
    d.run("step");
    EXPECT_TRUE(d.seals_agree());
    const Selection cell{Selection::cell, {9, 9, 0}, 0, {}};
    ASSERT_TRUE(track(0).matrix().find(9, 9));
    EXPECT_FALSE(words(0, cell).empty());
    for (const Picture* picture : d.simulation().track(0).pictures()) {
      EXPECT_FALSE(picture->marks({cell, {}, {}}).empty()) << picture->info().key;
      EXPECT_FALSE(picture->caption().empty());
    }
  }
}

TEST_F(UiSpmv, AFormatThatHasNoRoomIsSaidOfThisMatrixAlone) {
  const auto why = [&](const char* track) { return unavailable(d.model.scene(), Backend::cpu, track); };
  EXPECT_EQ(why("dense/row"), "");
  EXPECT_NE(why("vendor"), "");
  // A dense matrix of 262,144 rows has 256 GiB.
  d.show(
      {{"matrix", std::string("stencil5")}, {"n", std::int64_t{512}}, {"tracks", std::vector<std::string>{"csr/row"}}});
  EXPECT_NE(why("dense/row").find("needs 256"), std::string::npos) << why("dense/row");
  EXPECT_EQ(why("csr/merge"), "");
  d.show({{"n", std::int64_t{16}}});
  EXPECT_EQ(why("dense/row"), "");
}

TEST_F(UiSpmv, AnotherSystemIsSeenWholeAndThisOneComesBackAsItWas) {
  const std::vector<std::string> tracks{"csr/row", "sell/row"};
  d.show({{"tracks", tracks}});
  const PlaneView zoomed{.2, .7, 5};
  d.model.view.data[0] = d.model.view.grid[1] = zoomed;
  d.show({{"system", std::string("tree")}});
  EXPECT_EQ(d.model.view.data[0], PlaneView{});
  EXPECT_EQ(d.model.view.grid[1], PlaneView{});
  EXPECT_EQ(d.simulation().track(0).info().name, "levels/scan");
  d.show({{"tracks", std::vector<std::string>{"levels/atomic"}}});
  d.show({{"system", std::string("spmv")}});
  EXPECT_EQ(d.model.view.data[0], zoomed);
  EXPECT_EQ(d.model.view.grid[1], zoomed);
  EXPECT_EQ(d.model.scene().tracks(), tracks);
  d.show({{"system", std::string("tree")}});
  EXPECT_EQ(d.model.scene().tracks(), std::vector<std::string>{"levels/atomic"});
}

TEST_F(UiSpmv, AWidthBeyondTheLongestRowIsSaidToBeCut) {
  const auto cut = [&]() -> std::string {
    const auto figures = track(1).curves();
    for (const CurveFigure& figure : *figures)
      for (const auto& [what, value] : figure.rows)
        if (value.find("cut to the longest row") != std::string::npos) return what + " " + value;
    return "";
  };
  EXPECT_EQ(cut(), "");
  d.show({{"hyb_width", std::string("551")}});
  EXPECT_EQ(cut(), "");
  d.show({{"hyb_width", std::string("10000")}});
  EXPECT_EQ(cut(), "width 10000 cut to the longest row: 551");
}

TEST_F(UiSpmv, APlotOpensAsItIsSeen) {
  // In place of what has no closed form here the rate is shown.
  d.click("plots/place_3/open");
  EXPECT_EQ(d.model.plot_open, 2);
  EXPECT_EQ(d.model.view.plots[2], "rate");
}

TEST_F(UiSpmv, ANonzeroIsOneSelectionInEveryPicture) {
  const SpmvMatrix& matrix = track(0).matrix();
  // In the middle of the longest row.
  std::uint32_t row = 0;
  while (matrix.length(row) < matrix.longest) ++row;
  const std::uint64_t middle = matrix.row_starts[row] + matrix.longest / 2;
  const Selection cell{Selection::cell, {static_cast<std::uint32_t>(matrix.column_of[middle]), row, 0}, 0, {}};
  const Picture& shown = *track(0).pictures()[0];
  const auto sides = shown.extent();
  d.model.view.data.fill({(cell.at.x + .5) / sides[0], (row + origin_of(shown).y + .5) / sides[1], 200});
  d.frames(2);
  d.click_at(place(0, cell, false));
  ASSERT_EQ(d.model.picked, cell);
  for (std::size_t i = 0; i < 2; ++i)
    for (const Picture* picture : d.simulation().track(i).pictures())
      EXPECT_FALSE(picture->marks(d.model.selected_in(i, d.model.picked)).empty());
  const std::string said = words(0, cell), hyb = words(1, cell);
  EXPECT_NE(said.find("551 nonzeros"), std::string::npos) << said;
  EXPECT_NE(said.find("551 turns"), std::string::npos) << said;
  EXPECT_EQ(hyb.find("551 turns"), std::string::npos) << hyb;
}

TEST_F(UiSpmv, TheWidthOfHybIsDragged) {
  d.model.active_track = 1;
  d.frames(2);
  const std::string handle = "right/curves/row_lengths/handle";
  ASSERT_TRUE(d.has(handle)) << "no handle";
  d.run("step");
  const auto at = d.widget(handle);
  d.click_at({at.min.x + 1, (at.min.y + at.max.y) / 2});
  d.frames(3);
  EXPECT_EQ(d.shown("hyb_width"), "0");
  EXPECT_EQ(track(1).layout()->width(), 0);
  EXPECT_EQ(d.steps(), 1u) << "the state stays";
  EXPECT_TRUE(d.seals_agree());
  d.run("undo");
  EXPECT_EQ(d.shown("hyb_width"), "bytes");
}

TEST_F(UiSpmv, AFormatThatDoesNotFitSaysSo) {
  const std::string file = folder / "far.mtx";
  std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n2000000 2000000 1\n2000000 2000000 1\n";
  d.show({{"matrix", file}, {"tracks", std::vector<std::string>{"coo/element"}}});
  EXPECT_FALSE(d.model.notice_is_error) << d.model.notice;
  const std::string why = unavailable(d.model.scene(), Backend::cpu, "dense/row");
  EXPECT_NE(why.find("iB"), std::string::npos) << why;
  EXPECT_EQ(unavailable(d.model.scene(), Backend::cpu, "csr/row"), "");
}

TEST_F(UiSpmv, PresetsOpenAndSayWhatToLookAt) {
  for (const char* key : {"lesson_long_row", "lesson_scale_free"}) {
    SCOPED_TRACE(key);
    const Preset& preset = find_preset(key);
    open_scene(d.model, "opened", [&] { return read_scene_file(d.model, preset.file); });
    d.frames(4);
    ASSERT_FALSE(d.model.notice_is_error) << d.model.notice;
    d.run("step");
    EXPECT_TRUE(d.seals_agree());
    EXPECT_NE(look().find("longest row"), std::string::npos);
  }
}

/// Nothing of the words is cut off.
TEST_F(UiSpmv, WordsHaveRoom) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{1600, 1200}}) {
    d.resize(size);
    d.frames(3);
    for (const SeenText& text : TextReader().read()) EXPECT_FALSE(text.cut()) << size.x << ": " << text.words;
  }
}

}  // namespace
}  // namespace warploom
