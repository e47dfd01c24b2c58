#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

// Words that the window says by itself stand where they cover nothing, and say what they are of.

namespace warploom {
namespace {

using UiNotices = DriverTest;

ui::Rectangle drawn_bounds(const std::string& window) {
  ui::Rectangle all{{1e9f, 1e9f}, {-1e9f, -1e9f}};
  for (const ImDrawList* list : drawn_by(window))
    for (const ImDrawVert& at : list->VtxBuffer) {
      all.min = {std::min(all.min.x, at.pos.x), std::min(all.min.y, at.pos.y)};
      all.max = {std::max(all.max.x, at.pos.x), std::max(all.max.y, at.pos.y)};
    }
  return all;
}

bool crosses(const ui::Rectangle& a, ImVec2 min, ImVec2 max) {
  return a.min.x < max.x - 1.5f && min.x < a.max.x - 1.5f && a.min.y < max.y - 1.5f && min.y < a.max.y - 1.5f;
}

TEST_F(UiNotices, ANoticeCoversNoPictureAndNoPlot) {
  const std::string long_words =
      "making n = 20 takes about 14 s and 6.00 GiB of memory; Ctrl+Backspace stops it, and " +
      std::string("the parameters go back to those of the tracks that are shown until then");
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{1600, 900}})
    for (const char* scene : {"fractal", "simplex", "bins", "butterfly"})
      for (const char* what : {"", "panels", "present", "overlay"}) {
        SCOPED_TRACE(std::string(scene) + " " + what + " " + std::to_string(int(size.x)));
        Driver e(size);
        e.click(std::string("top/") + scene);
        if (*what) e.run(what);
        e.model.tell("");
        e.frames(2);
        const auto picture = e.widget("data_A/picture");
        for (const std::string& words : {std::string("saved p.png"), long_words}) {
          e.model.tell(words);
          e.frames(3);
          const ui::Rectangle notice = drawn_bounds("notice");
          ASSERT_LT(notice.min.y, notice.max.y);
          EXPECT_TRUE(says(words.substr(0, 10)));
          EXPECT_GE(notice.min.y, 0);
          EXPECT_LE(notice.max.y, size.y);
          for (const auto& widget : e.ui.widgets)
            if (!widget.path.starts_with("notice/") && !widget.path.starts_with("scene/") && widget.visible) {
              EXPECT_FALSE(crosses(notice, widget.min, widget.max)) << widget.path;
            }
          for (const char* other : {"verdict", "captions", "status"})
            if (const ui::Rectangle drawn = drawn_bounds(other); drawn.min.y < drawn.max.y) {
              EXPECT_FALSE(crosses(notice, drawn.min, drawn.max)) << other;
            }
        }
        if (!*what && size.x >= 1280) {
          e.model.tell("saved p.png");
          e.frames(2);
          EXPECT_EQ(e.widget("data_A/picture").max.y, picture.max.y) << "plots give it room";
          std::vector<SeenText> labels;
          const auto& plot = e.widget("plots/place_2/open");
          for (const SeenText& text : TextReader().read())
            if (text.min.x >= plot.min.x && text.max.x <= plot.max.x && text.min.y >= plot.min.y)
              labels.push_back(text);
          for (std::size_t i = 0; i < labels.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
              EXPECT_FALSE(crosses({labels[i].min, labels[i].max}, labels[j].min, labels[j].max))
                  << labels[i].words << " over " << labels[j].words;
            }
        }
        e.model.tell("");
        e.frames(2);
        EXPECT_EQ(e.widget("data_A/picture").max.y, picture.max.y) << "its strip goes with it";
      }
}

/// K shows what it measures for, in whatever plots there are.
TEST_F(UiNotices, MeasuredMapsAreShownWhereThereArePlots) {
  const auto measure = [](Driver& e) {
    e.open("simplex", {{"n", std::int64_t{24}}});
    e.run("time_maps");
    e.frames(2);
  };
  Driver narrow({900, 600});
  measure(narrow);
  ASSERT_LT(narrow.model.plots_shown, 3u);
  ASSERT_GT(narrow.model.plots_shown, 0u);
  EXPECT_EQ(narrow.model.view.plots[narrow.model.plots_shown - 1], "gain");
  EXPECT_TRUE(says("SPEED-UP BY N"));
  EXPECT_NE(narrow.model.notice.find("plot shows the predicted speed-up"), std::string::npos) << narrow.model.notice;
  EXPECT_EQ(narrow.model.notice.find("third"), std::string::npos) << narrow.model.notice;
  Driver bare({1280, 720});
  bare.open("simplex", {{"n", std::int64_t{24}}});
  bare.run("panels");
  bare.run("time_maps");
  bare.frames(2);
  EXPECT_TRUE(bare.has("plot/figure")) << "there is no plot below the pictures";
  EXPECT_TRUE(says("SPEED-UP BY N"));
}

/// The plot of kernel times is a window over the last samples, and says so once it moves.
TEST_F(UiNotices, ThePlotOfTimesSaysWhichSamplesItHas) {
  d.resize({1440, 900});
  d.enter("scene/level", "3");
  for (int i = 0; i < 20; ++i) d.run("step");
  d.refresh();
  EXPECT_TRUE(says("sample"));
  EXPECT_FALSE(says("last 160 samples"));
  for (int i = 0; i < 150; ++i) d.run("step");
  d.refresh();
  EXPECT_TRUE(says("last 160 samples"));
}

TEST_F(UiNotices, NotesOnNeighboursStandBesideEachOther) {
  d.enter("scene/level", "5");
  d.model.view.pins.clear();
  for (const std::uint32_t y : {12u, 13u, 14u})
    d.model.view.pins.push_back({{Selection::cell, {0, y, 0}, 0, {}}, "note number " + std::to_string(y)});
  d.frames(2);
  std::vector<SeenText> notes;
  for (const SeenText& text : TextReader().read())
    if (without_spaces(text.words).find("notenumber") != std::string::npos) notes.push_back(text);
  ASSERT_EQ(notes.size(), 3u);
  for (std::size_t i = 0; i < notes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(crosses({notes[i].min, notes[i].max}, notes[j].min, notes[j].max)) << i << " over " << j;
}

}  // namespace
}  // namespace warploom
