#include "tests/viewer/ui_driver.h"
#include "viewer/ui/text.h"

namespace warploom {
namespace {

struct Window {
  float width, height, scale;
};
std::ostream& operator<<(std::ostream& out, const Window& w) {
  return out << w.width << "x" << w.height << "@" << w.scale;
}

/// Pairs that lie over each other on purpose: a cross on its card, a link below it, grips over the panes' edges.
bool may_overlap(const std::string& a, const std::string& b) {
  return a.starts_with("splitters/") || b.starts_with("splitters/") || a == b + "/remove" || b == a + "/remove" ||
         a.starts_with("notice/") || b.starts_with("notice/");
}

/// What is wrong with where the widgets of this frame stand; empty: nothing.
std::string faults(const Driver& d, ImVec2 size) {
  std::string found;
  const auto& all = d.ui.widgets;
  const auto place = [](const ui::WidgetRecord& w) {
    return w.path + " (" + std::to_string(int(w.min.x)) + "," + std::to_string(int(w.min.y)) + ")-(" +
           std::to_string(int(w.max.x)) + "," + std::to_string(int(w.max.y)) + ")";
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& w = all[i];
    if (w.max.x <= w.min.x || w.max.y <= w.min.y) found += "empty: " + place(w) + "\n";
    if (!w.visible) continue;
    // Panels scroll downwards only: across, nothing may be cut. The grips reach over the edges.
    const bool grip = w.path.starts_with("splitters/");
    if (!grip && (w.min.x < 0 || w.max.x > size.x)) found += "outside: " + place(w) + "\n";
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const auto& o = all[j];
      if (!o.visible || may_overlap(w.path, o.path)) continue;
      const float x = std::min(w.max.x, o.max.x) - std::max(w.min.x, o.min.x),
                  y = std::min(w.max.y, o.max.y) - std::max(w.min.y, o.min.y);
      if (x > .5f && y > .5f) found += "overlap: " + place(w) + " and " + place(o) + "\n";
    }
  }
  return found;
}

struct UiLayout : testing::TestWithParam<Window> {
  const Window& window = GetParam();
  const ImVec2 size{window.width, window.height};
  Driver d{size, window.scale};
};

TEST_P(UiLayout, NothingIsCutAndNothingOverlaps) {
  EXPECT_EQ(faults(d, size), "");
  for (int tracks = 1; tracks <= 4; ++tracks) {
    SCOPED_TRACE(tracks);
    const std::vector<std::string> names{"bounding_box", "lambda_serial", "lambda_table/unroll",
                                         "lambda_shuffle/lookup"};
    d.model.set_tracks({names.begin(), names.begin() + tracks});
    d.model.tell("");
    d.frames(2);
    EXPECT_EQ(faults(d, size), "");
  }
  d.model.playing = true;
  d.frames(2);
  EXPECT_EQ(faults(d, size), "");
  d.run("panels");
  EXPECT_EQ(faults(d, size), "");
}

TEST_P(UiLayout, TopBarAndFramedLabelsFit) {
  for (const auto& w : d.ui.widgets) {
    if (!w.path.starts_with("top/") || w.path == "top/commands" || w.path == "top/capture") continue;
    EXPECT_GE(w.max.x - w.min.x, ui::text_width(d.ui.fonts->body, w.label)) << w.path << ": '" << w.label << "'";
  }
  // Every field is wide enough for four digits.
  for (const char* path : {"scene/level", "scene/seed", "scene/rule", "scene/density"}) {
    const auto& field = d.widget(path);
    EXPECT_GE(field.max.x - field.min.x, ui::text_width(d.ui.fonts->mono, "B3/S23") + 16 * window.scale) << path;
  }
}

TEST_P(UiLayout, DialogsFitAndReachTheirButtons) {
  d.run("help");
  d.click("help/close");
  EXPECT_FALSE(d.model.help_open);
  d.run("palette");
  d.click("palette/quit");
  EXPECT_TRUE(d.model.quit);
  d.run("open_scene");
  for (const char* path : {"path/file", "path/go", "path/close"}) {
    const auto& w = d.widget(path);
    EXPECT_TRUE(w.visible) << path;
    EXPECT_GE(w.min.x, 0) << path;
    EXPECT_LE(w.max.x, window.width) << path;
  }
  d.click("path/close");
  EXPECT_TRUE(d.model.path_prompt.empty());
  d.model.tell(std::string(300, 'x') + " a long message that takes several lines " + std::string(80, 'y'), true);
  d.frames(2);
  const auto& close = d.widget("notice/close");
  EXPECT_LE(close.max.x, window.width);
  EXPECT_LE(close.max.y, window.height);
}

TEST_P(UiLayout, EveryPaneIsThere) {
  for (const char* path : {"data_A/picture", "data_B/picture", "scene/map", "top/play"})
    EXPECT_TRUE(d.has(path)) << path;
  const auto& pane = d.widget("data_A/picture");
  EXPECT_GE((pane.max.x - pane.min.x) / window.scale, 150);
  EXPECT_GE((pane.max.y - pane.min.y) / window.scale, 150);
}

INSTANTIATE_TEST_SUITE_P(Sizes, UiLayout,
                         testing::Values(Window{900, 600, 1}, Window{1280, 720, 1}, Window{1600, 900, 1},
                                         Window{3840, 2160, 2}),
                         [](const auto& at) {
                           return std::to_string(int(at.param.width)) + "x" + std::to_string(int(at.param.height));
                         });
TEST(UiSizes, NarrowTopBarsKeepWhatActs) {
  for (const Window at : {Window{900, 600, 1.25f}, Window{900, 600, 1.5f}, Window{900, 600, 2}, Window{1280, 720, 2}}) {
    SCOPED_TRACE(testing::Message() << at);
    const ImVec2 size{at.width, at.height};
    Driver d{size, at.scale};
    std::erase_if(d.ui.widgets, [](const auto& one) { return !one.path.starts_with("top/"); });
    EXPECT_EQ(faults(d, size), "");
    for (const char* path : {"top/fractal", "top/play", "top/step", "top/reset", "top/capture", "top/commands"})
      EXPECT_TRUE(d.has(path)) << path;
  }
}

TEST(UiSizes, TinyWindowsAreHarmless) {
  for (const ImVec2 size : {ImVec2{640, 480}, ImVec2{320, 240}, ImVec2{64, 64}, ImVec2{1, 1}}) {
    Driver d;
    d.resize(size);
    d.model.help_open = d.model.palette_open = true;
    d.model.view.overlay = true;
    d.model.tell("a note");
    EXPECT_NO_THROW(d.frames(3));
  }
}

TEST(UiSizes, AnEditorThatIsClippedAwayIsHarmless) {
  Driver d;
  d.model.editing.open = true;
  d.model.editing.show("box.h", "Place place(Block b, Domain) { return {b.x, b.y}; }\n", "");
  d.frames(4);
  ASSERT_TRUE(d.has("editor/box.h/code"));
  for (float height = 600; height > 20; height -= 10) {
    d.resize({900, height});
    d.frame(61);  // what was not drawn for a minute Dear ImGui gives back
    d.frames(2);
  }
}

TEST(UiSizes, ExtremeDomainsAreHarmless) {
  Driver d;
  for (const char* fractal : {"cantor_set", "chandelier", "sierpinski_carpet"}) {
    d.model.set("level", std::int64_t{0});
    d.model.set("fractal", std::string(fractal));
    d.model.tell("");
    d.frames(2);
    d.move(Driver::centre(d.widget("data_A/picture")));
    d.move(Driver::centre(d.widget("grid_A/grid")));
    EXPECT_EQ(faults(d, {1600, 1200}), "") << fractal;
    d.model.set("level", std::int64_t{4});
    d.frames(2);
  }
}

}  // namespace
}  // namespace warploom
