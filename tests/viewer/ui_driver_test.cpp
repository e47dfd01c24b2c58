#include "tests/viewer/ui_driver.h"

namespace warploom {
namespace {

using UiTracks = DriverTest;

TEST_F(UiTracks, EveryMapOfTheListIsSwappedInMidRun) {
  d.enter("scene/level", "4");
  d.run("step");
  d.click("scene/tracks/B");
  EXPECT_EQ(d.model.active_track, 1u);
  for (const auto& kind : d.model.scene().track_kinds()) {
    SCOPED_TRACE(kind.name);
    const Seal before = d.simulation().status()[1].seal;
    const auto steps = d.steps();
    if (d.model.scene().tracks()[1] != kind.name) d.choose_track(kind.name);
    EXPECT_EQ(d.shown("tracks"), "bounding_box," + kind.name);
    if (kind.name == "lambda_table/unroll") {
      EXPECT_EQ(d.simulation().track(1).info().name, kind.name);
    }
    EXPECT_EQ(d.steps(), steps);
    EXPECT_EQ(d.simulation().status()[1].seal.hash, before.hash);
    d.run("step");
    EXPECT_EQ(d.steps(), steps + 1);
    EXPECT_TRUE(d.seals_agree());
  }
}

TEST_F(UiTracks, FromOneToFourAndBack) {
  d.run("step");
  d.click("scene/tracks/add");
  d.click("scene/tracks/add");
  EXPECT_EQ(d.simulation().size(), 4u);
  EXPECT_FALSE(d.has("scene/tracks/add"));
  d.run("add_track");
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_EQ(d.simulation().size(), 4u);
  EXPECT_TRUE(d.seals_agree());
  EXPECT_EQ(d.steps(), 1u);
  for (const char* letter : {"B", "A", "D"}) d.click(std::string("scene/tracks/") + letter + "/remove");
  EXPECT_EQ(d.simulation().size(), 1u);
  EXPECT_TRUE(d.has("scene/tracks/C"));
  EXPECT_FALSE(d.has("scene/tracks/C/remove"));
  d.run("remove_track");
  EXPECT_EQ(d.simulation().size(), 1u);
  EXPECT_EQ(d.model.active_track, 0u);
  EXPECT_EQ(d.steps(), 1u);
}

TEST_F(UiTracks, KeepSamplesWhenAnotherComesOrChanges) {
  for (int i = 0; i < 3; ++i) d.run("step");
  const auto samples = [&](std::size_t track) {
    return d.simulation().timings().samples(d.simulation().track(track).kernel(), static_cast<int>(track));
  };
  const auto of_a = samples(0), of_b = samples(1);
  ASSERT_EQ(of_b.size(), 3u);
  d.model.view.baseline = 1;
  d.run("add_track");
  ASSERT_EQ(d.simulation().size(), 3u);
  EXPECT_EQ(samples(0), of_a);
  EXPECT_EQ(samples(1), of_b);
  EXPECT_TRUE(samples(2).empty());
  d.model.set_tracks({"lambda_serial", d.model.scene().tracks()[1], d.model.scene().tracks()[2]});
  EXPECT_TRUE(samples(0).empty()) << "those were of another map";
  EXPECT_EQ(samples(1), of_b);
  d.click("scene/tracks/A/remove");
  EXPECT_EQ(samples(0), of_b);
  EXPECT_EQ(d.model.view.baseline, 0u) << "B it stays";
}

TEST_F(UiTracks, KeepLettersColoursAndSamplesWhenAnotherGoes) {
  d.run("add_track");
  for (int i = 0; i < 3; ++i) d.run("step");
  const auto samples = [&](std::size_t track) {
    return d.simulation().timings().samples(d.simulation().track(track).kernel(), static_cast<int>(track));
  };
  const auto of_b = samples(1), of_c = samples(2);
  ASSERT_EQ(of_b.size(), 3u);
  const auto colours = d.ui.theme->tracks;
  d.click("scene/tracks/A/remove");
  d.frame();
  EXPECT_TRUE(d.has("scene/tracks/B/remove"));
  EXPECT_TRUE(d.has("scene/tracks/C/remove"));
  EXPECT_EQ(d.ui.theme->tracks[0], colours[1]);
  EXPECT_EQ(d.ui.theme->tracks[1], colours[2]);
  EXPECT_EQ(samples(0), of_b);
  EXPECT_EQ(samples(1), of_c);
  d.run("step");
  EXPECT_EQ(samples(0).size(), of_b.size() + 1);
  EXPECT_EQ(d.simulation().ratio_to_baseline(1)->pairs, of_b.size() + 1);

  d.model.picked = parse_selection("block:C:0,0", d.model.scene().letters());
  EXPECT_EQ(d.model.picked.track, 1u);
  const std::string text = scene_text(d.model, {});
  EXPECT_NE(text.find("letters = 'BC'"), text.npos) << text;
  EXPECT_NE(text.find("select = 'block:C:0,0'"), text.npos) << text;
  d.run("undo");
  EXPECT_EQ(d.model.scene().letters(), "ABCD");
  d.model.start(read_scene_text(d.model, text, "text", {}).steps);
  EXPECT_EQ(d.model.scene().letters(), "BCAD");
  EXPECT_EQ(d.model.picked.track, 1u);
  EXPECT_THROW(read_scene_text(d.model, text + "\n", "text", {}, "x"), Error);
  EXPECT_EQ(d.model.scene().letters(), "BCAD");
  d.run("add_track");
  EXPECT_EQ(d.model.scene().letters(), "BCAD");
  EXPECT_TRUE(d.has("scene/tracks/A/remove"));
}

TEST_F(UiTracks, KeysChooseAddRemoveAndWalk) {
  d.key('1' + 2);
  EXPECT_EQ(d.model.scene().tracks()[0], map_choices(d.model.scene())[2].ways[0]->name);
  d.key('N');
  EXPECT_EQ(d.model.active_track, 1u);
  d.key('L');
  EXPECT_EQ(d.simulation().size(), 3u);
  d.key('N');
  d.key('L', shift);
  EXPECT_EQ(d.simulation().size(), 2u);
  EXPECT_LT(d.model.active_track, 2u);
}

using UiFields = DriverTest;

TEST_F(UiFields, NumbersAndTextReachTheModel) {
  for (const auto& [field, text] : {std::pair<std::string, const char*>{"level", "6"},
                                    {"rule", "B36/S23"},
                                    {"density", "0.25"},
                                    {"seed", "18446744073709551615"}}) {
    d.enter("scene/" + field, text);
    EXPECT_EQ(d.shown(field), text);
  }
  EXPECT_EQ(d.simulation().track(0).extent().x, 64u);
  d.choose("scene/work", "single_write");
  EXPECT_EQ(d.simulation().track(0).kernel(), "fractal.single_write");
  d.choose("scene/work", "life");
  d.choose("scene/block", "4");
  EXPECT_EQ(d.shown("block"), "4");
  EXPECT_EQ(d.simulation().track(0).launches()[0].threads.x, 4u);
  d.enter("scene/steps_per_frame", "3");
  EXPECT_EQ(d.model.steps_per_frame, 3u);
}

TEST_F(UiFields, TheBlockFollowsTheFractalAndSaysSo) {
  d.enter("scene/level", "4");
  d.choose("scene/fractal", "sierpinski_carpet");
  EXPECT_EQ(d.shown("fractal"), "sierpinski_carpet");
  const auto legal = d.parameter("block").legal();
  const std::int64_t block = std::get<std::int64_t>(d.value("block"));
  EXPECT_NE(std::find(legal.begin(), legal.end(), block), legal.end());
  EXPECT_NE(d.model.notice.find("block 16"), std::string::npos) << d.model.notice;
  EXPECT_FALSE(d.model.notice_is_error);
  // A note is no lock: the window is used on as before.
  d.choose("scene/fractal", "vicsek");
  EXPECT_EQ(d.shown("fractal"), "vicsek");
  d.enter("scene/level", "3");
  EXPECT_EQ(d.shown("level"), "3");
}

TEST_F(UiFields, UndoAndRedo) {
  EXPECT_FALSE(d.model.can_undo());
  d.enter("scene/seed", "11");
  d.enter("scene/level", "5");
  d.click("scene/tracks/add");
  d.key('Z', control);
  EXPECT_EQ(d.simulation().size(), 2u);
  d.key('Z', control);
  EXPECT_EQ(d.shown("level"), "8");
  EXPECT_NE(d.model.notice.find("Level is 8"), std::string::npos) << d.model.notice;
  EXPECT_EQ(d.simulation().track(0).extent().x, 256u);
  d.key('Z', control);
  EXPECT_EQ(d.shown("seed"), "7");
  EXPECT_FALSE(d.model.can_undo());
  for (int i = 0; i < 3; ++i) d.key('Z', control | shift);
  EXPECT_EQ(d.shown("seed"), "11");
  EXPECT_EQ(d.shown("level"), "5");
  EXPECT_EQ(d.simulation().size(), 3u);
  EXPECT_FALSE(d.model.can_redo());
}

TEST_F(UiFields, UndoKeepsTheActiveTrackInRange) {
  d.run("add_track");
  d.run("add_track");
  d.click("scene/tracks/D");
  d.run("undo");
  d.run("undo");
  ASSERT_EQ(d.simulation().size(), 2u);
  EXPECT_LT(d.model.active_track, 2u);
  d.run("remove_track");  // must not erase past the end
  EXPECT_EQ(d.simulation().size(), 1u);
}

using UiRun = DriverTest;

TEST_F(UiRun, PlayStepReset) {
  const Seal start = d.simulation().status()[0].seal;
  d.click("top/step");
  EXPECT_EQ(d.steps(), 1u);
  d.key(' ');
  EXPECT_TRUE(d.model.playing);
  const std::uint64_t at = d.steps();
  d.frames(10);
  EXPECT_EQ(d.steps(), at + 10);
  d.click("top/play");
  EXPECT_FALSE(d.model.playing);
  const std::uint64_t held = d.steps();
  d.frames(3);
  EXPECT_EQ(d.steps(), held);
  d.enter("scene/steps_per_frame", "4");
  d.key('.');
  EXPECT_EQ(d.steps(), held + 4);
  EXPECT_NE(d.simulation().status()[0].seal.hash, start.hash);
  d.click("top/reset");
  EXPECT_EQ(d.steps(), 0u);
  d.key('.');
  d.key('R');
  EXPECT_EQ(d.steps(), 0u);
  EXPECT_EQ(d.simulation().status()[0].seal.hash, start.hash);
  EXPECT_TRUE(d.seals_agree());
}

/// Each driver draws in a context of its own, and leaves the one that was current as it was.
TEST(UiContext, ContextsDoNotMeet) {
  ImGuiContext* const none = ImGui::GetCurrentContext();
  {
    const gl::ImguiContext first;
    ImGui::GetIO().FontGlobalScale = 3;
    ImGuiContext* const outer = ImGui::GetCurrentContext();
    {
      const gl::ImguiContext second;
      EXPECT_NE(ImGui::GetCurrentContext(), outer);
      EXPECT_EQ(ImGui::GetIO().FontGlobalScale, 1);
      EXPECT_EQ(ImGui::GetIO().IniFilename, nullptr);
    }
    EXPECT_EQ(ImGui::GetCurrentContext(), outer);
  }
  EXPECT_EQ(ImGui::GetCurrentContext(), none);
}

}  // namespace
}  // namespace warploom
