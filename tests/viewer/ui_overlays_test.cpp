#include <cstdlib>

#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/ui/walk.h"

// Palette, help, glossary, file dialogs and tooltips: what lies over the panels.

namespace warploom {
namespace {

using UiOverlays = DriverTest;

bool overlap(const ui::Area& a, const ui::Area& b) {
  return std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x) > .5f &&
         std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y) > .5f;
}

/// Where the frame's tooltip is; nothing: it has none.
std::optional<ui::Area> tooltip() {
  std::optional<ui::Area> all;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i) {
    const ImDrawList& list = *data->CmdLists[i];
    if (!list._OwnerName || !std::string(list._OwnerName).starts_with("##Tooltip")) continue;
    for (const ImDrawVert& at : list.VtxBuffer) {
      if (!all) all = ui::Area{at.pos, at.pos};
      all->min = {std::min(all->min.x, at.pos.x), std::min(all->min.y, at.pos.y)};
      all->max = {std::max(all->max.x, at.pos.x), std::max(all->max.y, at.pos.y)};
    }
  }
  // Its border is drawn with a soft edge of a pixel.
  if (all) all = ui::Area{{all->min.x + 1, all->min.y + 1}, {all->max.x - 1, all->max.y - 1}};
  return all;
}

/// The mouse comes to a place and stays there.
std::optional<ui::Area> tooltip_at(Driver& d, ImVec2 at) {
  d.move(at);
  d.frame(.5f);
  d.frame(.5f);
  return tooltip();
}

TEST_F(UiOverlays, ThePaletteTakesTheMouseEachTimeItOpensOnAllOfARow) {
  for (int time = 0; time < 3; ++time) {
    d.look_up("theme");
    d.key(escape);
    ASSERT_FALSE(d.model.palette_open);
    const std::string before = d.model.view.theme;
    d.look_up("theme");
    ASSERT_TRUE(d.has("palette/theme"));
    // Beside the words, too.
    const ImVec2 at{d.widget("palette/filter").max.x - 40, Driver::centre(d.widget("palette/theme")).y};
    d.move(at);
    d.press(true);
    d.press(false);
    d.frames(2);
    EXPECT_NE(d.model.view.theme, before) << "time " << time;
    EXPECT_FALSE(d.model.palette_open);
  }
}

TEST_F(UiOverlays, NothingBelowShowsATooltipOrTakesAClick) {
  const ImVec2 below = Driver::centre(d.widget("top/step"));
  ASSERT_TRUE(tooltip_at(d, below));
  for (const char* dialog : {"palette", "help", "glossary", "open_scene", "save_scene"}) {
    SCOPED_TRACE(dialog);
    d.run(dialog);
    EXPECT_FALSE(tooltip_at(d, below));
    EXPECT_FALSE(tooltip_at(d, Driver::centre(d.widget("scene/seed"))));
    d.click_at(below);
    EXPECT_EQ(d.steps(), 0u);
    d.key(escape);
  }
  d.run("palette");
  d.click_at(below);
  EXPECT_FALSE(d.model.palette_open) << "a click beside it closes it";
  EXPECT_EQ(d.steps(), 0u);
  d.click("scene/map");  // a list is open
  EXPECT_FALSE(tooltip_at(d, below));
}

bool is_pane(const ui::WidgetRecord& widget) { return widget.label == ui::picture_label; }

TEST(UiTooltips, CoverNeitherControlsNorTitles) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{1600, 900}})
    for (const char* scene : {"fractal", "simplex", "bins", "butterfly"}) {
      Driver d(size);
      d.open(scene);
      d.run("step");
      d.frames(2);
      int seen = 0;
      for (const ui::WidgetRecord& widget : std::vector(d.ui.widgets)) {
        if (!widget.visible || !widget.keyed || is_pane(widget) || widget.path.starts_with("plots/")) continue;
        const auto shown = tooltip_at(d, Driver::centre(widget));
        if (!shown) continue;
        ++seen;
        EXPECT_GE(shown->min.x, -.5f) << widget.path;
        EXPECT_LE(shown->max.x, size.x + .5f) << widget.path;
        EXPECT_LE(shown->max.y, size.y + .5f) << widget.path;
        for (const ui::WidgetRecord& other : d.ui.widgets) {
          if (!other.visible || !other.keyed || other.path.starts_with("plots/")) continue;
          // Of a picture's pane, its title.
          const ui::Area kept =
              is_pane(other) ? ui::Area{other.min, {other.max.x, other.min.y + 28}} : ui::Area{other.min, other.max};
          EXPECT_FALSE(overlap(*shown, kept))
              << scene << " " << size.x << ": " << widget.path << " hides " << other.path << ": " << shown->min.x
              << ", " << shown->min.y << " to " << shown->max.x << ", " << shown->max.y << "; " << kept.min.x << ", "
              << kept.min.y << " to " << kept.max.x << ", " << kept.max.y;
        }
      }
      EXPECT_GT(seen, 10) << scene;
    }
}

TEST_F(UiOverlays, DialogsStandOverThePicturesAndDimTheRest) {
  d.resize({1280, 720});
  for (const char* dialog : {"palette", "help", "glossary", "open_scene", "save_scene"}) {
    SCOPED_TRACE(dialog);
    d.run(dialog);
    const ui::Area area = d.state.dialog;
    for (const auto& widget : d.ui.widgets)
      for (const char* panel : {"scene/", "right/", "top/"})
        EXPECT_FALSE(widget.path.starts_with(panel) && overlap(area, {widget.min, widget.max})) << widget.path;
    EXPECT_NEAR((area.min.x + area.max.x) / 2, (d.state.centre.min.x + d.state.centre.max.x) / 2, 1);
    bool dims = false;
    for (const ImDrawList* list : drawn_by(d.model.path_prompt.empty() ? dialog : "path"))
      for (const ImDrawVert& at : list->VtxBuffer) dims = dims || (at.pos.x == 0 && at.pos.y == 0 && at.col >> 24);
    EXPECT_TRUE(dims);
    d.key(escape);
  }
}

TEST_F(UiOverlays, TheTimingTableCoversNoPicture) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}}) {
    d.resize(size);
    while (d.model.scene().tracks().size() < 4) d.run("add_track");
    d.run("step");
    d.model.view.overlay = true;
    d.refresh();
    const auto lists = drawn_by("captions");
    ASSERT_FALSE(lists.empty());
    float top = size.y;
    for (const ImDrawList* list : lists)
      for (const ImDrawVert& at : list->VtxBuffer) top = std::min(top, at.pos.y);
    EXPECT_LT(top, size.y - 60);
    for (const auto& widget : d.ui.widgets)
      for (const char* pane : {"data_", "grid_"})
        EXPECT_FALSE(widget.path.starts_with(pane) && widget.max.y > top + 1.5f)
            << widget.path << " ends at " << widget.max.y << ", the table begins at " << top;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(says(d.model.scene().tracks()[i])) << i;
    d.model.view.overlay = false;
  }
}

TEST_F(UiOverlays, HelpIsGroupedAndSearched) {
  d.run("help");
  for (const char* group : {"RUN", "TRACKS", "PICTURES", "FILES AND FIGURES", "UNDO AND CANCEL"})
    EXPECT_TRUE(says(group)) << group;
  EXPECT_TRUE(says("Undo the last change"));
  d.click("help/filter");
  d.type("capture");
  EXPECT_TRUE(says("Capture the window as PNG"));
  EXPECT_FALSE(says("Undo the last change"));
  d.key(escape);
  EXPECT_FALSE(d.model.help_open);
  for (const auto& command : all_commands()) EXPECT_STRNE(group_of(command).title, "");
  EXPECT_STREQ(group_of(*find_command("quit")).title, "Interface");
  EXPECT_STREQ(group_of(*find_command("map_9")).title, "Maps");
}

TEST_F(UiOverlays, TheGlossaryHasItsWholeTextsAndIsSearched) {
  d.run("glossary");
  d.frames(2);
  d.type("bank conflict");
  EXPECT_TRUE(says("Lanes of a warp that access different words of one bank"));
  EXPECT_FALSE(says("256 bytes"));
  d.key('L');  // belongs to the field
  EXPECT_EQ(d.simulation().size(), 2u);
  d.key(escape);
  EXPECT_FALSE(d.model.glossary_open);
  // From the palette, at a term.
  d.look_up("wavefront");
  d.click("palette/word_wavefront");
  ASSERT_TRUE(d.model.glossary_open);
  d.frames(3);
  EXPECT_TRUE(says("One pass over the banks of shared memory"));
  EXPECT_FALSE(says("Percentiles"));
}

TEST_F(UiOverlays, ThePaletteFindsPartsOfWords) {
  d.open("bins", {{"application", std::string("blinn")}, {"input", std::string("150")}});
  for (const auto& [words, row] : {std::pair{"gloss", "glossary"},
                                   {"bank", "word_bank"},
                                   {"tour", "tour"},
                                   {"surface", "picture_surface"},
                                   {"thwaste", ""}}) {
    d.look_up(words);
    if (*row)
      EXPECT_TRUE(d.has(std::string("palette/") + row)) << words;
    else
      EXPECT_TRUE(says("nothing here matches"));
    d.key(escape);
  }
  d.look_up("picture: surface");
  d.click("palette/picture_surface");
  EXPECT_EQ(d.model.view.pictures[0], "surface");
}

TEST_F(UiOverlays, ATermInTheWindowOpensItsLine) {
  Queue questions(Backend::cpu, true, 1);
  d.questions = &questions;
  d.resize({1600, 900});
  d.open("bins");
  d.run("step");
  d.model.picked = {"bin", {1, 1, 1}, 0, {}};
  d.frames(3);
  std::optional<ImVec2> at;
  for (const SeenText& text : TextReader().read())
    if (text.words.starts_with("depth") && text.min.x > 1200) at = {text.min.x + 20, (text.min.y + text.max.y) / 2};
  ASSERT_TRUE(at);
  ASSERT_TRUE(tooltip_at(d, *at));
  EXPECT_TRUE(says("How many elements a bin holds."));
  EXPECT_EQ(meaning_of_label("Threads"), meaning("thread"));
  EXPECT_EQ(meaning_of_label("P5, P95, P99"), meaning("P5, P95, P99"));
  EXPECT_EQ(meaning_of_label("no such word"), "");
}

TEST_F(UiOverlays, CapturesGoWherePicturesAreAndOverwriteNothing) {
  const char* const names[] = {"HOME", "XDG_CONFIG_HOME"};
  std::vector<std::optional<std::string>> before;
  for (const char* name : names) {
    const char* value = std::getenv(name);
    before.push_back(value ? std::optional<std::string>(value) : std::nullopt);
    setenv(name, (folder / "home").c_str(), 1);
  }
  const auto captured = [&] {
    d.model.capture_wanted.clear();
    d.run("capture");
    return std::filesystem::path(std::exchange(d.model.capture_wanted, {}));
  };
  namespace fs = std::filesystem;
  fs::create_directories(folder / "home/Pictures");
  fs::create_directories(folder / "home/Bilder");
  EXPECT_EQ(captured().parent_path(), folder / "home/Pictures");
  std::ofstream(folder / "home/user-dirs.dirs") << "# written by a test\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n";
  const fs::path first = captured();
  EXPECT_EQ(first.parent_path(), folder / "home/Bilder");
  // All that this second and the next could have.
  std::set<fs::path> taken;
  for (int i = 0; i < 3; ++i) {
    const fs::path file = captured();
    EXPECT_FALSE(fs::exists(file));
    EXPECT_TRUE(taken.insert(file).second);
    std::ofstream(file) << "a picture";
  }
  fs::create_directories(folder / "saved");
  d.key('S', control);
  d.answer(folder / "saved/mine.toml");
  ASSERT_TRUE(fs::exists(folder / "saved/mine.toml")) << d.model.notice;
  EXPECT_EQ(captured().parent_path(), folder / "saved") << "beside what was saved last";
  for (std::size_t i = 0; i < before.size(); ++i)
    before[i] ? setenv(names[i], before[i]->c_str(), 1) : unsetenv(names[i]);
}

TEST_F(UiOverlays, FileDialogsSayWhereAndWhatFor) {
  std::filesystem::create_directories(folder / "below");
  std::ofstream(folder / "cells.rle") << "x = 1, y = 1\no!\n";
  std::ofstream(folder / "one.toml") << "schema = 1\n";
  d.state.files.folder = folder.path;
  d.run("open_scene");
  d.frames(2);
  EXPECT_TRUE(says("scenes (.toml, .png)"));
  EXPECT_TRUE(says("state (.npy"));
  bool state = false, scene = false;
  const auto row = [&](const char* name) {
    for (const auto& widget : d.ui.widgets)
      if (widget.label == name) return Driver::centre(widget).y;
    return -1.f;
  };
  for (const SeenText& text : TextReader().read()) {
    state = state || (text.words.ends_with("state") && std::abs(text.min.y + 8 - row("cells.rle")) < 12);
    scene = scene || (text.words.find("scene") != std::string::npos && std::abs(text.min.y + 8 - row("one.toml")) < 12);
  }
  EXPECT_TRUE(state);
  EXPECT_TRUE(scene);
  d.key(escape);
  d.open("simplex");
  d.run("open_scene");
  EXPECT_TRUE(says("points (."));
  d.key(escape);
  d.run("save_scene");
  d.frames(2);
  EXPECT_FALSE(says(folder / "below"));
  d.type(folder / "below/mine.toml");
  EXPECT_TRUE(says(folder / "below")) << "the folder that it goes to";
}

using UiFolding = DriverTest;

std::vector<std::string> cards(const Driver& d) {
  std::vector<std::string> all;
  for (const auto& widget : d.ui.widgets)
    if (widget.path.starts_with("right/") && widget.path.ends_with("/fold")) all.push_back(widget.path);
  return all;
}

TEST_F(UiFolding, CardsFoldByTheirTitleAndStayFolded) {
  const auto order = cards(d);
  ASSERT_GE(order.size(), 3u);
  ASSERT_TRUE(says("P95"));
  d.click("right/timings/fold");
  EXPECT_FALSE(says("P95"));
  d.click("right/inspector/fold");
  EXPECT_FALSE(says("Hover a cell or a thread"));
  EXPECT_EQ(cards(d), order);
  const std::string text = scene_text(d.model);
  EXPECT_NE(text.find("folded = [ 'inspector', 'timings' ]"), std::string::npos) << text;
  d.click("top/simplex");
  EXPECT_FALSE(says("P95")) << "folded is folded in every scene";
  d.click("right/timings/fold");
  EXPECT_TRUE(says("P95"));
  d.click("top/fractal");
  read_scene_text(d.model, text, "text", ".");
  d.frames(2);
  EXPECT_FALSE(says("P95"));
  // Texts of earlier versions have no such key.
  read_scene_text(d.model, "schema = 1\nscene = \"fractal\"\n[view]\nzoom = 1.0\n", "text", ".");
  EXPECT_TRUE(d.model.view.folded.empty());
}

TEST_F(UiFolding, WhatIsDraggedStaysUnderTheMouse) {
  d.resize({1280, 720});
  d.open("bins", {{"tracks", std::vector<std::string>{"compact/range/spill", "regular/count/spill"}},
                  {"cap", std::string("3")}});
  d.run("step");
  const std::string handle = "right/curves/depths/handle";
  const ui::WidgetRecord panel = d.widget("right/timings/fold");
  while (!d.widget(handle).visible) d.wheel({panel.min.x + 20, 300}, -1);
  d.wheel({panel.min.x + 20, 300}, -1);
  ASSERT_TRUE(d.widget(handle).visible);
  const ImVec2 at = Driver::centre(d.widget(handle));
  d.move(at);
  d.press(true);
  d.move({at.x + 10, at.y});
  d.state.other_costs = true;  // a card above grows
  d.frames(4);
  EXPECT_NEAR(Driver::centre(d.widget(handle)).y, at.y, 1);
  d.press(false);
  d.frames(3);
  EXPECT_NE(d.shown("cap"), "3") << "it was dragged";
  EXPECT_NEAR(Driver::centre(d.widget(handle)).y, at.y, 1);
  d.model.view.folded.insert("threads");
  d.frames(4);
  EXPECT_NEAR(Driver::centre(d.widget(handle)).y, at.y, 1);
}

using UiUndo = DriverTest;

TEST_F(UiUndo, SaysWhatItDidInWords) {
  d.run("undo");
  EXPECT_EQ(d.model.notice, "nothing to undo in this scene");
  d.run("redo");
  EXPECT_EQ(d.model.notice, "nothing to redo in this scene");
  d.model.set_tracks({"bounding_box", "lambda_serial/unroll"});
  d.run("undo");
  const auto kinds = d.model.scene().track_kinds();
  const auto title = [&](const std::string& name) {
    return full_title(*std::ranges::find(kinds, name, &TrackInfo::name));
  };
  EXPECT_EQ(d.model.notice,
            "undone: Tracks are A " + title("bounding_box") + " and B " + title(d.model.scene().tracks()[1]));
  d.choose("scene/fractal", "sierpinski_carpet");
  d.run("undo");
  EXPECT_NE(d.model.notice.find("Fractal is Sierpinski gasket"), std::string::npos) << d.model.notice;
}

TEST_F(UiUndo, AfterBreakItTheStepThePickAndTheCameraComeBack) {
  d.show_inexact("24");
  for (int i = 0; i < 3; ++i) d.run("step");
  const auto camera = d.model.view.data;
  ASSERT_TRUE(d.model.picked.empty());
  d.run("break_it");
  ASSERT_FALSE(d.model.picked.empty());
  const Selection broken = d.model.picked;
  d.run("undo");
  EXPECT_EQ(d.steps(), 3u);
  EXPECT_TRUE(d.model.picked.empty());
  EXPECT_EQ(d.model.view.data, camera);
  d.run("redo");
  EXPECT_EQ(d.steps(), 1u);
  EXPECT_EQ(d.model.picked, broken);
}

}  // namespace
}  // namespace warploom
