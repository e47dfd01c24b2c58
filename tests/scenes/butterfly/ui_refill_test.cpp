#include <cstdlib>

#include "tests/sanitized.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// A refill that takes long, in the real panels over a model with a thread of its own.

namespace warploom {
namespace {

using Clock = std::chrono::steady_clock;

struct UiRefill : testing::Test {
  Driver d{{1440, 900}, 1, "dark", make_scenes(), false};
  const std::int64_t large = sanitized ? 15 : 20, batch = std::getenv("WARPLOOM_FULL") ? 64 : 4;
  // Sanitizers are slower.
  const double seconds_for_new = sanitized ? 20 : 2, seconds_to_stop = sanitized ? 2 : .2;

  void SetUp() override {
    until([&] { return settled(); });
    d.click("top/butterfly");
    until([&] { return settled(); });
    ASSERT_TRUE(d.model.set({{"n", std::int64_t{11}}, {"batch", batch}})) << d.model.notice;
    until([&] { return settled(); });
    ASSERT_EQ(d.simulation().track(0).extent().x, 2048u);
  }
  bool settled() { return d.model.runner().simulation() && !d.model.building() && !d.model.runner().busy(); }
  /// Frames until it is so; the seconds that it took.
  template <class Done>
  double until(Done&& done) {
    const auto begin = Clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    while (!done()) {
      if (passed() > 300) throw std::runtime_error("it never came: " + d.model.coming() + "; " + d.model.notice);
      d.frame();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return passed();
  }
  /// The refill, until it is past `share`: the tracks are filled by half, then judged.
  void begin(double share) {
    d.enter("scene/n", std::to_string(large));
    ASSERT_TRUE(d.model.building()) << d.model.notice;
    until([&] { return d.model.stale() && d.model.runner().progress().fraction > share; });
    d.frame();
  }
};

TEST_F(UiRefill, StalePanesSayWhatComesAndAnswerNothing) {
  if (!sanitized) {
    // Long enough to be foretold on a quick machine, too; it is cancelled.
    ASSERT_TRUE(d.model.set({{"batch", std::int64_t{64}}})) << d.model.notice;
    until([&] { return settled(); });
  }
  d.click_at(Driver::centre(d.widget("data_A/picture")));
  d.enter("scene/n", std::to_string(large));
  if (!sanitized) {
    // Beforehand, in words.
    EXPECT_NE(d.model.notice.find("making n = 20 takes "), std::string::npos) << d.model.notice;
    EXPECT_NE(d.model.notice.find("Ctrl+Backspace stops it"), std::string::npos) << d.model.notice;
  }
  until([&] { return d.model.stale() && d.model.runner().progress().fraction > .1; });
  d.frame();
  const ImVec2 at = Driver::centre(d.widget("data_A/cancel"));
  d.move({at.x + 100, at.y});
  EXPECT_TRUE(d.model.hover.empty());
  EXPECT_FALSE(d.has("data_A/picture")) << "the pane takes no clicks";
  EXPECT_TRUE(says("n = " + std::to_string(large) + " is being made, "));
  EXPECT_TRUE(says(" %"));
  EXPECT_TRUE(says("Ctrl+Backspace stops"));
  EXPECT_FALSE(says("Inspector - wire"));
  const auto history = d.model.runner().history();
  d.model.paint({{0, 0, 0}}, 1, true);
  EXPECT_EQ(d.model.runner().history(), history);
  d.click("data_A/cancel");
  until([&] { return !d.model.building(); });
  EXPECT_EQ(d.shown("n"), "11");
  d.frames(2);
  EXPECT_TRUE(d.has("data_A/picture"));
  EXPECT_FALSE(d.has("data_A/cancel"));
}

TEST_F(UiRefill, ANewerValueCancelsTheOlderJob) {
  for (const double share : {.02, .2, .6}) {
    begin(share);
    d.enter("scene/n", "6");
    EXPECT_LT(until([&] { return d.simulation().track(0).extent().x == 64; }), seconds_for_new) << share;
    until([&] { return settled(); });
    EXPECT_EQ(d.shown("n"), "6");
    EXPECT_EQ(d.model.notice.find("cancelled"), std::string::npos) << d.model.notice;
  }
}

TEST_F(UiRefill, CancelStopsAtOnceAndTells) {
  for (const double share : {.02, .2, .6}) {
    begin(share);
    d.model.tell("");
    d.key(259, control);
    EXPECT_LT(until([&] { return !d.model.building(); }), seconds_to_stop) << share;
    EXPECT_TRUE(d.model.notice.starts_with("cancelled")) << d.model.notice;
    EXPECT_EQ(d.shown("n"), "11");
    EXPECT_LT(until([&] { return settled(); }), 5 * seconds_to_stop) << "its memory is freed";
    EXPECT_EQ(d.simulation().track(0).extent().x, 2048u);
  }
}

TEST_F(UiRefill, AnotherTabDoesNotWaitBehindIt) {
  begin(.6);
  d.click("top/simplex");
  EXPECT_LT(until([&] { return d.model.scene_simulation() != nullptr; }), seconds_for_new);
  ASSERT_STREQ(d.model.scene().key(), "simplex");
}

/// Judging a step that was taken is given up, too, and said to be missing.
TEST_F(UiRefill, AStepsJudgementIsCancelled) {
  ASSERT_TRUE(d.model.set("n", std::int64_t{sanitized ? 14 : 18})) << d.model.notice;
  until([&] { return settled(); });
  EXPECT_TRUE(d.simulation().status()[0].check.has_value());
  d.run("step");
  until([&] { return d.steps() == 1; });
  d.run("cancel");
  EXPECT_LT(until([&] { return !d.model.runner().busy(); }), 5 * seconds_to_stop);
  EXPECT_EQ(d.model.notice, "cancelled");
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(seal_words(d.simulation(), 0).first, "not judged");
  d.run("step");
  until([&] { return settled(); });
  EXPECT_TRUE(d.simulation().status()[0].check.has_value());
}

}  // namespace
}  // namespace warploom
