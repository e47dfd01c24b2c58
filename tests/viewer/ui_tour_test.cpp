#include <cstdlib>
#include <random>

#include "gpu/core/files.h"
#include "tests/viewer/tours.h"
#include "viewer/base/paths.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/tour_host.h"

// Tours: how their files are read, and how a learner goes through one (docs/learning.md).

namespace warploom {
namespace {

TEST_F(Tours, NextAloneComesToTheEndAndTheLearnersSceneComesBack) {
  d.open("simplex", {{"n", std::int64_t{24}}});
  const auto before = d.model.values();
  begin();
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  EXPECT_EQ(d.shown("level"), "4");
  EXPECT_TRUE(d.has("tour/next"));
  for (int i = 0; i < 20 && !player->over(); ++i) wish(TourWish::next);
  EXPECT_TRUE(player->over());
  EXPECT_FALSE(strip().open);
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
  EXPECT_EQ(d.model.values(), before);
  EXPECT_TRUE(d.model.can_undo());
  d.model.undo();
  EXPECT_NE(d.shown("n"), "24");
}

TEST(ToursPresented, TheLongestWordsHaveRoomInLargerType) {
  // About as long as has room at 900 x 600, where every tour is tested.
  std::string words;
  while (words.size() + 12 <= 320) words += words.empty() ? "Seven blocks" : " of a launch";
  std::string text = small_tour;
  const std::string short_one = "A box of threads.";
  text.replace(text.find(short_one), short_one.size(), words);
  for (const auto& [size, presents] : {std::pair{ImVec2{900, 600}, false},
                                       {{1600, 900}, true},
                                       {{1920, 1080}, true},
                                       {{1280, 720}, true},
                                       {{1600, 900}, false}}) {
    const TemporaryFolder folder;
    Driver d(size, presents ? 1.4f : 1);
    Hand hand{d.model, d.ui};
    ScriptStage stage{d.model, d.ui, d.state, hand, folder.path};
    TourPlayer player(read_tour_text(text, "long.toml", folder.path), stage);
    const auto rest = [&] {
      for (int i = 0; i < 2000; ++i) {
        player.go_on(1 / 60.);
        d.frame();
        if (player.rests() && i > 3) break;
      }
    };
    rest();
    d.model.teaching.wish = TourWish::next;
    rest();
    d.model.view.presentation = presents;
    d.frames(3);
    EXPECT_TRUE(d.model.teaching.strip.asks);
    EXPECT_FALSE(d.state.strip_cut) << size.x << (presents ? ", presented" : "");
    // 129 points are the strip in larger type, 112 in the usual one.
    const bool large = size.x >= (presents ? 1540 : 1600);
    EXPECT_NEAR(d.state.strip_area.max.y - d.state.strip_area.min.y, (large ? 129 : 112) * d.ui.scale, 2) << size.x;
  }
}

TEST_F(Tours, WhatIsAskedIsHiddenUntilItIsAnswered) {
  begin();
  wish(TourWish::next);
  ASSERT_TRUE(strip().asks);
  EXPECT_TRUE(d.model.teaching.hides_figures());
  EXPECT_FALSE(d.has("right/threads"));
  d.run("copy_figures");
  EXPECT_TRUE(d.model.clipboard_wanted.empty());
  for (const char* saves : {"save_picture", "save_stats", "save_dump", "handout"}) {
    d.run(saves);
    EXPECT_TRUE(d.model.path_prompt.empty()) << saves;
  }
  d.model.teaching.strip.asked.given = 81;
  wish(TourWish::answer);
  EXPECT_EQ(strip().asked.verdict, "Exactly.");
  EXPECT_FALSE(d.model.teaching.hides_figures());
  const auto answered = player->answered();
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->place, "small, step 2");
  EXPECT_EQ(answered->truth, 81);
  EXPECT_FALSE(player->answered());
  // Skipped is never wrong.
  wish(TourWish::again);
  wish(TourWish::skip);
  EXPECT_TRUE(strip().asked.verdict.starts_with("Skipped"));
  EXPECT_TRUE(player->answered()->skipped);
}

TEST_F(Tours, LookShowsWhereTheReasonIs) {
  std::string text = small_tour;
  const std::string said = "said = \"81 of them.\"\n";
  text.insert(text.find(said) + said.size(), "look = \"hover thread:A:3,0:1,1\"\n");
  begin(text);
  wish(TourWish::next);
  EXPECT_FALSE(d.has("tour/look"));
  wish(TourWish::look);  // not before the answer
  EXPECT_TRUE(d.model.teaching.hover.empty());
  d.model.teaching.strip.asked.given = 80;
  wish(TourWish::answer);
  EXPECT_TRUE(d.has("tour/look"));
  wish(TourWish::look);
  EXPECT_EQ(d.model.teaching.hover, parse_selection("thread:A:3,0:1,1", "ABCD"));
  EXPECT_EQ(player->at(), 1u);
  wish(TourWish::next);
  EXPECT_EQ(player->at(), 2u);
}

TEST_F(Tours, AStepIsDoneHoweverItWasBroughtAbout) {
  begin();
  wish(TourWish::next);
  wish(TourWish::skip);
  wish(TourWish::next);
  EXPECT_TRUE(strip().waits);
  d.model.picked = parse_selection("thread:A:3,0:2,1", "ABCD");
  rest();
  EXPECT_TRUE(strip().done);
  EXPECT_EQ(player->at(), 2u);  // it does not go on by itself
  wish(TourWish::next);
  EXPECT_EQ(player->at(), 3u);
}

TEST_F(Tours, BackAndForwardComeToTheSameScenes) {
  begin();
  std::vector<std::string> entries{player->entry()};
  const auto forward = [&] {
    const std::size_t from = player->at();
    for (int i = 0; i < 4 && player->at() == from; ++i) wish(TourWish::next);
  };
  for (int i = 0; i < 3; ++i) {
    forward();
    entries.push_back(player->entry());
  }
  for (int i = 0; i < 3; ++i) wish(TourWish::back);
  EXPECT_EQ(player->at(), 0u);
  EXPECT_EQ(d.shown("level"), "4");
  for (std::size_t i = 1; i < 4; ++i) {
    forward();
    EXPECT_EQ(player->entry(), entries[i]) << i;
  }
}

TEST_F(Tours, WhateverTheLearnerDidTheNextStepIsTrue) {
  begin();
  ASSERT_TRUE(d.model.set("level", std::int64_t{7}));
  d.model.runner().step(3);
  d.model.undo();
  ASSERT_TRUE(d.model.set("block", std::int64_t{2}));
  wish(TourWish::next);
  EXPECT_EQ(player->at(), 1u);
  EXPECT_EQ(d.shown("level") + " " + d.shown("block"), "4 4");
  d.open("simplex");
  wish(TourWish::again);
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  d.open("butterfly");
  d.resize({900, 600});
  wish(TourWish::skip);
  wish(TourWish::next);
  EXPECT_EQ(player->at(), 2u);
  EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
  d.key(escape);
  rest();
  EXPECT_TRUE(player->over());
}

TEST_F(Tours, ItsButtonsWork) {
  d.resize({900, 600});
  begin();
  const auto click = [&](const std::string& path) {
    d.click(path);
    rest();
  };
  click("tour/next");
  EXPECT_EQ(player->at(), 1u);
  click("tour/answer");
  EXPECT_TRUE(strip().asked.answered);
  click("tour/next");
  click("tour/next");
  EXPECT_TRUE(strip().done);
  click("tour/back");
  EXPECT_EQ(player->at(), 1u);
  click("tour/close");
  EXPECT_TRUE(player->over());
}

TEST_F(Tours, TheHostTellsWhatIsWrongAndKeepsAnswers) {
  (void)forget_learning();
  write_atomically(folder / "small.toml", small_tour);
  d.model.teaching.tours = known_tours();
  TourHost host(stage, false);
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i) {
      host.go_on(1 / 60.);
      d.frame();
    }
  };
  d.model.teaching.tour_wanted = folder / "gone.toml";
  frames(2);
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_FALSE(strip().open);
  d.model.teaching.tour_wanted = folder / "small.toml";
  for (int i = 0; i < 300 && !strip().open; ++i) frames(1);
  ASSERT_TRUE(strip().open);
  EXPECT_FALSE(host.before().empty());
  for (int i = 0; i < 600 && strip().open; ++i) {
    if (!strip().busy) d.model.teaching.wish = TourWish::next;
    frames(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(strip().open);
  const Learning learned = read_learning();
  EXPECT_TRUE(learned.done("small"));
  EXPECT_EQ(learned.all["answers"].size(), 1u);
  write_atomically(state_folder() / "learning.json", "{ torn");
  EXPECT_FALSE(read_learning().remark.empty());
  EXPECT_TRUE(read_learning().remark.empty());
  (void)forget_learning();
}

/// Whatever is done in a tour, it goes on, and what was there before comes back.
TEST_F(Tours, RandomEventsHarmNeitherTheTourNorWhatWasThere) {
  d.open("simplex", {{"n", std::int64_t{20}}});
  const auto before = d.model.values();
  const char* count = std::getenv("WARPLOOM_FUZZ_EVENTS");
  std::mt19937 random(33);
  const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  const char* commands[] = {"undo",   "redo",     "reset",   "next_active_track", "fit",
                            "theme",  "present",  "overlay", "remove_track",      "add_track",
                            "panels", "describe", "map_2",   "slow_launch",       "walk"};
  stage.forgiving = true;
  begin();
  for (int i = count ? std::atoi(count) : 400; i > 0; --i) {
    switch (below(6)) {
      case 0:
        d.model.teaching.wish = static_cast<TourWish>(1 + below(8));
        break;
      case 1:
        d.run(*find_command(std::string(commands[below(std::size(commands))])));
        break;
      case 2:
        d.model.set("level", std::int64_t{below(7)});
        break;
      case 3:
        d.resize(below(2) ? ImVec2{900, 600} : ImVec2{1600, 900});
        break;
      case 4:
        d.model.picked = parse_selection(below(2) ? "cell:1,2" : "thread:A:0,0:1,1", "ABCD");
        break;
      default:
        if (below(8) == 0) select_scene(d.model, below(2) ? "simplex" : "fractal");
    }
    if (d.model.teaching.wish == TourWish::end) d.model.teaching.wish = TourWish::none;
    try {
      go_on();
    } catch (const Error&) {  // of a line that cannot run on what was left: the host ends the tour
      player->give_up();
      rest();
      ASSERT_EQ(std::string(d.model.scene().key()), "simplex");
      begin();
    }
    if (player->over()) begin();
    ASSERT_LT(player->at(), 4u);
  }
  wish(TourWish::end);
  for (int i = 0; i < 300 && !player->over(); ++i) go_on();
  EXPECT_TRUE(player->over());
  EXPECT_EQ(std::string(d.model.scene().key()), "simplex");
  EXPECT_EQ(d.model.values(), before);
}

TEST_F(Tours, APredictionIsAskedBeforeTheTimesAreSeen) {
  (void)forget_learning();
  d.model.teaching.tours = known_tours();
  TourHost host(stage, false);
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i) {
      host.go_on(1 / 60.);
      d.frame();
    }
  };
  d.model.runner().step(3);
  frames(2);
  d.key('Y');
  frames(2);
  ASSERT_TRUE(strip().open && strip().asks);
  EXPECT_TRUE(d.model.teaching.hides_times());
  EXPECT_FALSE(d.has("right/timings"));
  stage.live = false;  // what it asks of the runner it asks at once
  d.model.teaching.strip.asked.given = 4;
  d.click("tour/why_2");
  d.click("tour/answer");
  for (int i = 0; i < 200 && (strip().asked.measuring || strip().asked.verdict.empty()); ++i) frames(1);
  EXPECT_FALSE(strip().asked.measuring);
  EXPECT_FALSE(d.model.playing);
  EXPECT_GE(d.steps(), 30u);
  const Learning learned = read_learning();
  ASSERT_EQ(learned.all["answers"].size(), 1u);
  EXPECT_EQ(learned.all["answers"][0]["why"], "memory");
  EXPECT_EQ(learned.all["answers"][0]["given"], 4);
  // Once more, as the strip says.
  d.key('Y');
  frames(3);
  EXPECT_TRUE(strip().open && strip().asks && !strip().asked.answered);
  EXPECT_TRUE(d.model.teaching.hides_times());
  d.model.teaching.wish = TourWish::skip;
  for (int i = 0; i < 200 && (strip().asked.measuring || strip().asked.verdict.empty()); ++i) frames(1);
  EXPECT_TRUE(strip().asked.skipped);
  EXPECT_FALSE(strip().asked.spread.empty());
  d.click("tour/next");
  frames(2);
  EXPECT_FALSE(strip().open);
  // After a swap of a map, where that is wished.
  d.run("predict_always");
  d.choose_track("lambda_table");
  frames(3);
  EXPECT_TRUE(strip().asks);
  d.key(escape);
  d.key(escape);
  frames(2);
  EXPECT_FALSE(strip().open);
  (void)forget_learning();
}

}  // namespace
}  // namespace warploom
