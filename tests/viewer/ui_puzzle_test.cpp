#include "gpu/core/files.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/base/paths.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/tour_host.h"

// Puzzles in the window (docs/learning.md).

namespace warploom {
namespace {

struct Puzzles : StageTest {
  std::optional<TourHost> host;

  void SetUp() override {
    (void)forget_learning();
    d.model.teaching.tours = known_tours();
    d.model.teaching.puzzles = known_puzzles();
    host.emplace(stage, false);
  }
  void TearDown() override { (void)forget_learning(); }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      host->go_on(1 / 60.);
      stage.live = false;  // what is asked is asked at once
      d.frame();
    }
  }
  void open(const std::string& key) {
    for (const PuzzleRow& row : d.model.teaching.puzzles)
      if (row.key == key) d.model.teaching.puzzle_wanted = row.file;
    frames(4);
    ASSERT_TRUE(strip().puzzle) << d.model.notice;
  }
  const Strip& strip() { return d.model.teaching.strip; }
};

TEST_F(Puzzles, AreCheckedAndKeepTheBestScore) {
  d.open("simplex", {{"n", std::int64_t{24}}});
  open("full_house");
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  EXPECT_EQ(d.model.active_track, 1u);
  EXPECT_NE(strip().result.find("idle lanes <= 400"), std::string::npos);
  d.click("tour/check");
  frames(3);
  EXPECT_NE(strip().result.find("Not yet: idle lanes <= 400: it is 14175"), std::string::npos) << strip().result;
  d.click("tour/hint");
  frames(2);
  EXPECT_NE(strip().text.find("Hint 1"), std::string::npos);
  ASSERT_TRUE(d.model.set("block", std::int64_t{32}));
  d.choose_track("lambda_table/lookup");
  if (const Command* check = pressed_command(d.model, 257, control, KeysOf::none)) d.run(*check);
  frames(3);
  EXPECT_TRUE(strip().done);
  EXPECT_NE(strip().result.find("Solved: 351 idle lanes. Your best: 351"), std::string::npos) << strip().result;
  EXPECT_EQ(read_learning().best("full_house"), "351 idle lanes");
  EXPECT_EQ(read_learning().all["puzzles"]["full_house"]["hints"], 1);
  // A better one takes its place, a worse one does not.
  ASSERT_TRUE(d.model.set("block", std::int64_t{1}));
  d.choose_track("compact");
  d.click("tour/check");
  frames(3);
  EXPECT_EQ(read_learning().best("full_house"), "95 idle lanes") << strip().result;
  d.key(escape);
  for (int i = 0; i < 20 && strip().open; ++i) frames(1);
  EXPECT_FALSE(strip().open);
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
  EXPECT_EQ(d.shown("n"), "24");
}

TEST_F(Puzzles, OneThatIsOpenedAgainGoesOn) {
  open("full_house");
  d.click("tour/hint");
  frames(2);
  d.key(escape);
  frames(12);
  ASSERT_FALSE(strip().open);
  open("full_house");
  EXPECT_NE(strip().text.find("Hint 1"), std::string::npos) << strip().text;
  EXPECT_EQ(strip().hints_left, 2u);
  ASSERT_TRUE(d.model.set("block", std::int64_t{32}));
  d.choose_track("lambda_table/lookup");
  d.click("tour/check");
  frames(3);
  EXPECT_TRUE(strip().done) << strip().result;
  EXPECT_EQ(read_learning().all["puzzles"]["full_house"]["hints"], 1);
}

TEST_F(Puzzles, GoalsAreSaidInWords) {
  open("no_conflicts");
  EXPECT_NE(strip().result.find("B: write wavefronts + read wavefronts - write ideal - read ideal = 0"),
            std::string::npos)
      << strip().result;
  open("small_break");
  EXPECT_NE(strip().result.find("B does not agree with A; n <= 8"), std::string::npos) << strip().result;
  d.click("tour/check");
  for (int i = 0; i < 40 && strip().result.find("Not yet") == std::string::npos; ++i) frames(1);
  EXPECT_NE(strip().result.find("B agrees with A, and must not"), std::string::npos) << strip().result;
}

TEST_F(Puzzles, WhatIsNotFreeIsToldAndDoesNotCount) {
  open("full_house");
  ASSERT_TRUE(d.model.set("level", std::int64_t{3}));
  d.click("tour/check");
  frames(3);
  EXPECT_NE(strip().result.find("level=3: it is not free"), std::string::npos) << strip().result;
  d.click("tour/again");
  frames(3);
  EXPECT_EQ(d.shown("level"), "8");
}

TEST_F(Puzzles, OneEndsBeforeTheNextBegins) {
  open("full_house");
  for (const PuzzleRow& row : d.model.teaching.puzzles)
    if (row.key == "corner") d.model.teaching.puzzle_wanted = row.file;
  frames(12);
  EXPECT_TRUE(strip().puzzle);
  EXPECT_EQ(strip().step_title, "The corner");
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
  d.key(escape);
  frames(12);
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
}

TEST_F(Puzzles, AreListedWithTheTours) {
  d.run("tour");
  frames(2);
  EXPECT_TRUE(d.has("tours/full_house"));
  EXPECT_TRUE(d.has("tours/thread_map"));
  d.click("tours/corner");
  frames(4);
  EXPECT_TRUE(strip().puzzle);
}

TEST_F(Puzzles, TheFirstPageLeadsToATourInOneClick) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1600, 900}}) {
    d.resize(size);
    d.run("welcome");
    frames(3);
    EXPECT_FALSE(d.has("data_A/picture"));
    EXPECT_TRUE(d.widget("welcome/irregular").visible);
    d.click("welcome/tour");
    for (int i = 0; i < 60 && !strip().open; ++i) frames(1);
    EXPECT_TRUE(strip().open);
    frames(4);
    EXPECT_TRUE(d.has("data_A/picture"));
    d.key(escape);
    for (int i = 0; i < 60 && strip().open; ++i) frames(1);
  }
  d.run("welcome");
  frames(2);
  d.click("top/simplex");
  frames(3);
  EXPECT_FALSE(d.model.teaching.welcome);
}

TEST_F(Puzzles, AClassIsOpenedAnsweredAndHandedIn) {
  const auto course = folder.path / "course";
  make_classroom(course, {"GPU maps", {"thread_map"}, {"full_house"}, {}});
  host->open_class(course);
  frames(2);
  EXPECT_TRUE(d.has("welcome/tour_thread_map"));
  d.click("welcome/puzzle_full_house");
  frames(6);
  ASSERT_TRUE(strip().puzzle);
  ASSERT_TRUE(d.model.set("block", std::int64_t{32}));
  d.choose_track("lambda_table/lookup");
  d.click("tour/check");
  frames(3);
  EXPECT_TRUE(strip().done) << strip().result;
  d.model.teaching.hand_in_wanted = folder / "Anna.warploom.json";
  frames(2);
  const auto none = [] { return false; };
  const Collected all = collect(read_classroom(course), {folder / "Anna.warploom.json"}, false, none);
  EXPECT_NE(all.answers.find("\"Anna\",\"full_house\",\"yes\",\"351\",\"idle lanes\",\"351\",\"0\",\"1\","),
            std::string::npos)
      << all.answers;
  d.model.teaching.hand_in_wanted = folder / "A\tb.warploom.json";
  frames(2);
  EXPECT_TRUE(d.model.notice_is_error);
  // Under another name all of it again; and so in a window that is opened later.
  const auto rows_of = [&](const std::string& name) {
    d.model.teaching.hand_in_wanted = folder / (name + ".warploom.json");
    frames(2);
    return collect(read_classroom(course), {folder / (name + ".warploom.json")}, false, none).answers;
  };
  EXPECT_NE(rows_of("Berta").find("\"Berta\",\"full_house\",\"yes\""), std::string::npos);
  EXPECT_NE(d.model.notice.find("handed in as Berta: 1 of 1 puzzles answered, 0 predictions, 0 of 1 tours"), std::string::npos)
      << d.model.notice;
  d.model.teaching.wish = TourWish::end;
  frames(6);
  EXPECT_TRUE(d.model.teaching.welcome) << "the class is there again";
  host.emplace(stage, false);
  host->open_class(course);
  frames(2);
  EXPECT_NE(rows_of("Carla").find("\"Carla\",\"full_house\",\"yes\",\"351\",\"idle lanes\",\"351\",\"0\",\"1\","),
            std::string::npos);
  // Somebody who did nothing yet is not missing.
  const auto other = folder.path / "other";
  make_classroom(other, {"Another", {}, {"corner"}, {}});
  host.emplace(stage, false);
  host->open_class(other);
  d.model.teaching.hand_in_wanted = folder / "Dora.warploom.json";
  frames(2);
  const Collected empty = collect(read_classroom(other), {folder / "Dora.warploom.json"}, false, none);
  EXPECT_NE(empty.answers.find("no puzzle answered; tours done: none"), std::string::npos) << empty.answers;
  ASSERT_EQ(empty.people.size(), 1u);
}

TEST_F(Puzzles, EnterInThePaletteDoesNotConfirmTheDialogThatItOpens) {
  const auto course = folder.path / "course";
  make_classroom(course, {"GPU maps", {"thread_map"}, {}, {}});
  host->open_class(course);
  d.model.teaching.welcome = false;
  d.look_up("hand in what");
  d.field_key(ImGuiKey_Enter);
  frames(3);
  EXPECT_EQ(d.model.path_prompt, "hand_in");
  EXPECT_TRUE(d.model.teaching.hand_in_wanted.empty());
  // Nor does nothing stand for a name.
  d.field_key(ImGuiKey_Enter);
  frames(2);
  EXPECT_EQ(d.model.path_prompt, "hand_in");
  d.model.path_prompt.clear();
}

TEST_F(Puzzles, JudgingIsCancelled) {
  const auto file = std::ranges::find(d.model.teaching.puzzles, "few_tests", &PuzzleRow::key);
  ASSERT_NE(file, d.model.teaching.puzzles.end());
  PuzzleJudge judge(read_puzzle(file->file), {{"tracks", "compact/trimmed"}, {"bin", "0.5"}});
  judge.cancel();
  EXPECT_THROW((void)judge.judge(), Cancelled);
}

TEST_F(Puzzles, WhatCannotBeReadIsLeftOutWithTheReason) {
  const auto own = config_folder() / "puzzles", tours = config_folder() / "tours";
  for (const auto& to : {own, tours}) {
    std::filesystem::create_directories(to);
    write_atomically(to / "broken.toml", "schema = 2\n");
  }
  std::vector<std::string> left_out;
  EXPECT_EQ(known_puzzles(&left_out).size(), 8u);
  EXPECT_EQ(known_tours(&left_out).size(), 11u);
  for (const auto& to : {own, tours}) std::filesystem::remove(to / "broken.toml");
  ASSERT_EQ(left_out.size(), 2u);
  for (const auto& line : left_out) EXPECT_NE(line.find("broken.toml:1: "), line.npos) << line;
}

}  // namespace
}  // namespace warploom
