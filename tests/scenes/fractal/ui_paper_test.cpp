#include "tests/viewer/ui_driver.h"
#include "viewer/model/presets.h"
#include "viewer/model/scene_text.h"

// Figures of papers in the window: presets, and points that are measured live.

namespace warploom {
namespace {

class UiPaper : public testing::Test {
 protected:
  Driver d;
  void run(int steps) {
    for (int i = 0; i < steps; ++i) d.run("step"), d.frames(2);
    d.frames(40);
  }
  std::size_t points(const std::string& curve) const {
    const auto at = d.state.paper.seen.find(curve);
    return at == d.state.paper.seen.end() ? 0 : at->second.size();
  }
};

TEST_F(UiPaper, APresetOfThePaletteMakesItsFigure) {
  const Preset& preset = find_preset("paper_storage");
  d.run("palette");
  d.frame();
  d.type("Compact and sliced storage");
  d.field_key(ImGuiKey_Enter);
  d.frames(3);
  EXPECT_EQ(d.model.view.paper, "storage");
  EXPECT_EQ(d.model.view.plots[2], "paper");
  EXPECT_EQ(d.model.scene().tracks().size(), 4u);
  EXPECT_NE(d.model.notice.find(preset.title), std::string::npos) << d.model.notice;
  run(8);
  EXPECT_EQ(points("storage sliced"), 1u);
  EXPECT_EQ(points("storage compact"), 1u);
  // Another size is another point, and the first one stays.
  ASSERT_TRUE(d.model.set("level", std::int64_t{8}));
  d.frames(3);
  run(8);
  EXPECT_EQ(points("storage sliced"), 2u);
  EXPECT_TRUE(d.state.paper.seen["storage sliced"].contains(256));
  // With another block it would be another figure.
  ASSERT_TRUE(d.model.set({{"level", std::int64_t{7}}, {"block", std::int64_t{8}}}));
  d.frames(3);
  run(8);
  EXPECT_EQ(points("storage sliced"), 2u);
}

TEST_F(UiPaper, WithoutAPresetItFitsTheWork) {
  d.model.view.plots[2] = "paper";
  d.frames(3);
  ASSERT_TRUE(d.state.paper.usual);
  EXPECT_EQ(d.state.paper.usual->key, "life");
  ASSERT_TRUE(d.model.set("work", std::string("reduction")));
  d.frames(3);
  EXPECT_EQ(d.state.paper.usual->key, "reduction");
  show_scene(d.model, "simplex");
  d.frames(3);  // and is none of another scene's
}

}  // namespace
}  // namespace warploom
