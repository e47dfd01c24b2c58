#include <cstdlib>
#include <random>

#include "gpu/core/files.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/base/paths.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/tour_host.h"

// Tours: how their files are read, and how a learner goes through one (docs/tours.md).

namespace warploom {
namespace {

const std::string small_tour = R"(schema = 1
tour = "A small one"
idea = "A launch is a box."
scene = "fractal"

[[steps]]
title = "The data"
text = "These are 81 cells of a [[launch grid]]."
do = """
set level=4 block=4 tracks=bounding_box
wait built
mark data_A "here"
"""
check = """
results.cells = 81
"""

[[steps]]
title = "The launch"
text = "A box of threads."
[steps.ask]
question = "How many have a cell?"
kind = "number"
low = 0
high = 256
answer = "tracks.A.threads.useful"
said = "81 of them."

[[steps]]
title = "A thread for nothing"
text = "Click a hatched thread."
do = """
mark grid_A
"""
until = "selection.useful = false"
then = "select thread:A:3,0:1,1"
check = "tracks.A.threads.wasted = 175"

[[steps]]
title = "Another level"
text = "Level 6."
do = """
select none
set level=6
wait built
step 2
"""
check = "steps = 2"
)";

TEST(TourFiles, AreReadWithTheirLines) {
  const Tour tour = read_tour_text(small_tour, "small.toml", ".");
  ASSERT_EQ(tour.steps.size(), 4u);
  EXPECT_EQ(tour.key, "small");
  EXPECT_EQ(tour.steps[0].script.lines[0].number, 10u);
  EXPECT_EQ(tour.steps[0].checks[0].line, 15u);
  EXPECT_EQ(tour.steps[2].until->line, 35u);
  EXPECT_EQ(tour.steps[2].checks[0].line, 37u);
  EXPECT_EQ(tour.steps[1].question->kind, Question::Kind::number);
}

TEST(TourFiles, WrongOnesSayWhereAndWhat) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = small_tour;
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
  };
  const std::string long_words(421, 'a');
  const std::tuple<std::string, int, const char*> wrong[] = {
      {with("schema = 1", "schema = 2"), 1, "reads 1"},
      {with("schema = 1\n", ""), 1, "schema"},
      {with("idea", "ideas"), 3, "'idea'"},
      {with("scene = \"fractal\"", "scene = \"fractals\""), 4, "'fractal'"},
      {with("title = \"The data\"", "titel = \"The data\""), 7, "'title'"},
      {with("These are", long_words), 8, "420"},
      {with("[[launch grid]]", "[[lanch grid]]"), 8, "'launch grid'"},
      {with("set level=4", "set levell=4"), 10, "'level'"},
      {with("mark data_A \"here\"", "stats s.json"), 12, "refused in tours"},
      {with("results.cells = 81", "result.cells = 81"), 15, "'results'"},
      {with("kind = \"number\"", "kind = \"numbers\""), 23, "'number'"},
      {with("low = 0", "low = 300"), 21, "below high"},
      {with("answer = \"tracks", "answer = \"trakcs"), 26, "'tracks'"},
      {with("answer = \"tracks.A.threads.useful\"", "answer = \"300\""), 26, "outside"},
      {with("then = \"select", "than = \"select"), 36, "'then'"},
      {with("then = \"select thread:A:3,0:1,1\"\n", ""), 35, "then"},
      {with("until = \"selection.useful = false\"\n", ""), 35, "until"},
      {with("set level=6", "set state=/etc/x.npy"), 44, "own folder"},
      {with("title = \"Another level\"", "title = "), 40, "TOML"},
      {"schema = 1\ntour = \"a\"\nidea = \"b\"\nscene = \"fractal\"\n", 1, "steps"}};
  for (const auto& [text, line, why] : wrong) try {
      (void)read_tour_text(text, "t.toml", ".");
      ADD_FAILURE() << why;
    } catch (const FileError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("t.toml:" + std::to_string(line) + ":")) << said << " for " << why;
      EXPECT_NE(said.find(why), std::string::npos) << said << " for " << why;
    }
}

TEST(TourFiles, MutatedOnesAreReadOrRefused) {
  const char* count = std::getenv("WARPLOOM_FUZZ_TEXTS");
  std::mt19937 random(33);
  for (int i = count ? std::atoi(count) : 200; i > 0; --i) {
    std::string text = small_tour;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text[at] = static_cast<char>(random() % 256);
      else
        text.erase(at, 1 + random() % 40);
    }
    try {
      (void)read_tour_text(text, "t.toml", ".");
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("t.toml:")) << error.what();
    }
  }
}

TEST(Questions, CountsAreExactCloseOrOff) {
  Question question;
  question.low = 0, question.high = 256;
  EXPECT_EQ(judge_number(question, 81, 81).kind, Found::Kind::exact);
  EXPECT_EQ(judge_number(question, 100, 81).kind, Found::Kind::close);
  EXPECT_EQ(judge_number(question, 162, 81).words, "You said 162. It is 81: 2.0 times too high.");
  EXPECT_EQ(judge_number(question, 20, 81).words, "You said 20. It is 81: 4.0 times too low.");
}

TEST(Questions, NoiseIsNeverBlamedOnTheLearner) {
  const auto kind = [](double given, const Measured& measured) { return judge_ratio(given, measured, "B").kind; };
  EXPECT_EQ(kind(2, {1.5, 1.47, 1.53, 12}), Found::Kind::none);
  EXPECT_EQ(judge_ratio(2, {1.5, 1.47, 1.53, 12}, "B").words, "Not yet: 12 of 30 pairs.");
  EXPECT_EQ(kind(3, {3.02, 2.99, 3.05, 60}), Found::Kind::close);
  EXPECT_EQ(judge_ratio(1, {3, 2.98, 3.02, 60}, "B").words,
            "B was 3.00 [2.98, 3.02] times as fast; you said 1: 3.0 times too low.");
  EXPECT_EQ(kind(1.5, {1.01, .97, 1.04, 60}), Found::Kind::none);
  EXPECT_EQ(kind(1.02, {1.01, .97, 1.04, 60}), Found::Kind::close);
  // A slow half.
  EXPECT_EQ(kind(2, {1.5, 1.47, 1.53, 60, 1.2, 1.8}), Found::Kind::none);
}

struct Tours : DriverTest {
  Hand hand{d.model, d.ui};
  ScriptStage stage{d.model, d.ui, d.state, hand, folder.path};
  std::unique_ptr<TourPlayer> player;

  void begin(const std::string& text = small_tour) {
    player = std::make_unique<TourPlayer>(read_tour_text(text, "small.toml", folder.path), stage);
    rest();
  }
  void go_on() {
    player->go_on(1 / 60.);
    d.frame();
  }
  void rest() {
    for (int i = 0; i < 2000 && !player->over(); ++i) {
      go_on();
      if (player->rests()) break;
    }
    for (int i = 0; i < 3; ++i) go_on();
  }
  void wish(TourWish what) {
    d.model.teaching.wish = what;
    rest();
  }
  const Strip& strip() { return d.model.teaching.strip; }
};

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

TEST_F(Tours, WhatIsAskedIsHiddenUntilItIsAnswered) {
  begin();
  wish(TourWish::next);
  ASSERT_TRUE(strip().asks);
  EXPECT_TRUE(d.model.teaching.hides_figures());
  EXPECT_FALSE(d.has("right/threads"));
  d.run("copy_figures");
  EXPECT_TRUE(d.model.clipboard_wanted.empty());
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

TEST_F(Tours, KeysGoOnAndBack) {
  begin();
  const auto key = [&](int code, int modifiers = 0) {
    d.key(code, modifiers);
    rest();
  };
  key(267);  // Page Down
  EXPECT_EQ(player->at(), 1u);
  d.model.teaching.wish = TourWish::skip;
  rest();
  if (const Command* right = pressed_command(d.model, 262, control, KeysOf::none)) d.run(*right);
  rest();
  EXPECT_EQ(player->at(), 2u);
  if (const Command* enter = pressed_command(d.model, 257, 0, KeysOf::none)) d.run(*enter);
  rest();
  EXPECT_TRUE(strip().done);  // shown
  key(266);                   // Page Up
  EXPECT_EQ(player->at(), 1u);
  EXPECT_EQ(pressed_command(d.model, 257, 0, KeysOf::field), nullptr);
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
  EXPECT_EQ(learned.all["answers"][0]["why"], "less memory");
  EXPECT_EQ(learned.all["answers"][0]["given"], 4);
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
