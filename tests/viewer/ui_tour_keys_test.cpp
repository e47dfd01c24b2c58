#include "tests/viewer/tours.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/app/app.h"
#include "viewer/base/png.h"
#include "viewer/model/commands.h"

// Tours by keyboard alone (docs/learning.md).

namespace warploom {
namespace {

/// A tour of one step, which asks.
std::string asking_tour(const std::string& ask) {
  return R"(schema = 1
tour = "A question"
idea = "It is answered."
scene = "fractal"
[[steps]]
title = "Which?"
text = "Some threads have no cell."
do = "set level=4 block=4 tracks=bounding_box"
[steps.ask]
)" + ask;
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

TEST_F(Tours, EscEndsThemWhateverIsShown) {
  begin();
  d.model.picked = {Selection::cell, {2, 10, 0}, 0, {}};
  d.model.view.launched = .5;
  d.model.tell("a notice");
  d.key(escape);
  rest();
  EXPECT_TRUE(player->over());
}

TEST_F(Tours, APlaceIsPickedByKeysAndTakenByEnter) {
  begin(asking_tour(R"(question = "Pick a thread that works for nothing."
kind = "place"
answer = "cell:1,0"
said = "There is nothing at its place."
)"));
  ASSERT_TRUE(strip().asks);
  d.model.walking = true;
  d.frame();
  for (int i = 0; i < 200 && d.ui.walk.at != "data_A/picture"; ++i) d.field_key(ImGuiKey_Tab);
  ASSERT_EQ(d.ui.walk.at, "data_A/picture");
  const auto press = [&](ImGuiKey key) {
    d.field_key(key);
    for (int i = 0; i < 3; ++i) go_on();
  };
  press(ImGuiKey_Enter);
  EXPECT_FALSE(strip().asked.answered) << "nothing is picked yet";
  press(ImGuiKey_RightArrow);
  EXPECT_FALSE(strip().asked.answered);
  press(ImGuiKey_RightArrow);
  EXPECT_FALSE(strip().asked.answered);
  press(ImGuiKey_Enter);
  EXPECT_TRUE(strip().asked.answered);
  EXPECT_FALSE(strip().asked.skipped);
  EXPECT_FALSE(strip().asked.verdict.empty());
}

TEST_F(Tours, AWalkWhoseWidgetIsGoneKeepsNoKey) {
  begin();
  d.model.walking = true;
  d.frame();
  d.ui.walk.at = "welcome/tour";  // where the tour was begun
  d.frames(2);
  EXPECT_FALSE(d.model.walking);
  ASSERT_NE(pressed_command(d.model, 257, 0, KeysOf::none), nullptr);
  EXPECT_EQ(pressed_command(d.model, 257, 0, KeysOf::none)->name, "tour_next");
  d.key(295);  // F6 begins another
  d.frames(2);
  EXPECT_TRUE(d.model.walking);
  EXPECT_NE(d.ui.walk.at, "");
  d.frames(3);
  EXPECT_TRUE(d.model.walking);
}

TEST_F(Tours, AChoiceIsMadeByItsNumber) {
  begin(asking_tour(R"(question = "Which is it?"
kind = "choice"
choices = ["none", "some", "all"]
answer = "some"
said = "Some."
)"));
  ASSERT_TRUE(strip().asks);
  EXPECT_EQ(pressed_command(d.model, '2', 0, KeysOf::none), nullptr);  // else the map of the track
  ImGui::GetIO().AddInputCharacter('2');
  rest();
  EXPECT_TRUE(strip().asked.answered);
  EXPECT_EQ(strip().asked.chosen, 1);
  EXPECT_NE(pressed_command(d.model, '2', 0, KeysOf::none), nullptr);
}

TEST_F(Tours, APointIsAPartOfTheNumberThatIsAsked) {
  begin();
  d.model.teaching.wish = TourWish::next;
  rest();
  ASSERT_TRUE(strip().asks && strip().asked.is_number());
  EXPECT_EQ(pressed_command(d.model, '.', 0, KeysOf::none), nullptr);
  wish(TourWish::skip);
  ASSERT_NE(pressed_command(d.model, '.', 0, KeysOf::none), nullptr);
  EXPECT_EQ(pressed_command(d.model, '.', 0, KeysOf::none)->name, "step");
}

TEST_F(Tours, TheirListIsWalkedThroughFromTheFirstKey) {
  for (const int key : {258, 264, 265}) {  // Tab, down, up
    d.model.walking = false;
    d.model.teaching.tours_open = false;
    EXPECT_FALSE(begins_walk(d.model, key));
    d.model.teaching.tours_open = true;
    EXPECT_TRUE(begins_walk(d.model, key));
    d.model.walking = true;
    EXPECT_FALSE(begins_walk(d.model, key));
  }
}

TEST_F(Tours, NoFigureIsReadBeforeItsQuestionIsAnswered) {
  begin(R"(schema = 1
tour = "Hidden"
idea = "Nothing tells."
scene = "fractal"
[[steps]]
title = "First"
text = "Look."
[[steps]]
title = "A count"
text = "A launch."
do = """
set level=5 block=4 tracks=bounding_box,lambda_serial
wait built
step 2
wait 20 frames
"""
[steps.ask]
question = "How many threads have a cell?"
kind = "number"
low = 0
high = 2000
answer = "tracks.A.threads.useful"
said = "So many."
[[steps]]
title = "A ratio"
text = "Two maps."
do = """
step 3
wait 20 frames
"""
[steps.ask]
question = "How fast?"
kind = "ratio"
said = "So fast."
)");
  const TextReader reader;
  const auto reads = [&](const std::string& figure) {
    for (const SeenText& seen : reader.read())
      if (seen.words.find(figure) != std::string::npos) return seen.words;
    return std::string();
  };
  // From the first frame of a step on, whatever its lines do, until it is answered.
  const auto hidden_until_answered = [&](std::size_t step, const std::string& figure) {
    d.model.teaching.wish = TourWish::next;
    int frames = 0;
    for (int i = 0; i < 2000 && !(player->at() == step && strip().asks && player->rests()); ++i) {
      go_on();
      if (player->at() != step) continue;
      ++frames;
      EXPECT_EQ(reads(figure), "") << "frame " << frames;
    }
    EXPECT_GT(frames, 20);
    for (int i = 0; i < 5; ++i) {
      go_on();
      EXPECT_EQ(reads(figure), "");
    }
    // A capture takes the scene along, and no figure of it.
    const std::filesystem::path picture = std::filesystem::path(folder.path) / "hidden.png";
    write_capture(picture.string(), d.model, 1, 1, {0}, edited_state(d.model));
    const PngImage captured = read_png(picture);
    EXPECT_FALSE(captured.texts.empty());
    for (const auto& [key, text] : captured.texts) {
      if (key == "warploom-environment") continue;
      EXPECT_EQ(text.find(figure), std::string::npos) << key << "\n" << text;
    }
    wish(TourWish::skip);
    for (int i = 0; i < 2000 && strip().asked.measuring; ++i) go_on();
    go_on();
    EXPECT_NE(reads(figure), "") << "it is there again";
  };
  hidden_until_answered(1, "243");
  hidden_until_answered(2, "kernel");
}

}  // namespace
}  // namespace warploom
