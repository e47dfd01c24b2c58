#include "tests/viewer/ui_driver.h"
#include "viewer/ui/code_field.h"

// The editor of own maps: what it shows, and what its keys do. What compiles and runs a text is tested in the window
// (tests/window/own_maps.py).

namespace warploom {
namespace {

std::string pieces(const std::string& text) {
  std::string all;
  for (const auto& span : ui::tokens_of(text, {"Place", "nowhere"}))
    all += std::string(1, "pkwnct"[static_cast<int>(span.token)]) + "[" +
           text.substr(span.begin, span.end - span.begin) + "]";
  return all;
}

TEST(CodeField, KnowsThePiecesOfCode) {
  EXPECT_EQ(pieces("Place f(int x) { return nowhere; }"), "w[Place]k[int]k[return]w[nowhere]");
  EXPECT_EQ(pieces("x // if 1\n7"), "c[// if 1]n[7]");
  EXPECT_EQ(pieces("/* a\nb */ 0x1fu 1'000"), "c[/* a\nb */]n[0x1fu]n[1'000]");
  EXPECT_EQ(pieces(R"("a \" // b" 'c')"), R"(t["a \" // b"]t['c'])");
  EXPECT_EQ(pieces("\"open\nint"), "t[\"open\n]k[int]");
  EXPECT_EQ(pieces("/* open"), "c[/* open]");
  EXPECT_EQ(pieces("intx xint _1"), "");
}

TEST(OwnMessages, AreReadByLineAndColumn) {
  const auto all = own_messages_of("a.h", "a.h:3:7: what\na.h:12: more: of it\nother.h:1:1: no\na.h:x\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ((std::tuple{all[0].line, all[0].column, all[0].words}), (std::tuple{3, 7, std::string("what")}));
  EXPECT_EQ((std::tuple{all[1].line, all[1].column, all[1].words}), (std::tuple{12, 0, std::string("more: of it")}));
}

struct UiEditor : DriverTest {
  UiEditor() {
    select_scene(d.model, "simplex");
    d.model.rebuild();
    d.frames(3);
  }
  OwnEditing& editing() { return d.model.editing; }
};

TEST_F(UiEditor, BeginsWithExamplesOfTheScene) {
  d.click("scene/tracks/own");
  d.frames(2);
  EXPECT_TRUE(editing().open);
  EXPECT_TRUE(d.has("editor/rectangle") && d.has("editor/box"));
  EXPECT_FALSE(d.has("editor/lambda"));
  d.click("editor/rectangle");
  d.frames(3);
  ASSERT_EQ(editing().drafts.size(), 1u);
  EXPECT_NE(editing().drafts[0].typed.find("Place place(Block b, Domain d)"), std::string::npos);
  // Another text of that name has a number; what never ran can be closed.
  editing().show("rectangle.h", "// other\n", "");
  EXPECT_EQ(editing().drafts[1].file, "rectangle_2.h");
  editing().close(1);
  EXPECT_EQ(editing().shown, 0u);
}

TEST_F(UiEditor, OpensOneExampleAfterTheOther) {
  toggle_editor(d.model);
  d.frames(2);
  d.click("editor/new");
  d.frames(OwnEditing::focus_takes + 1);
  for (std::size_t i = 2; i < 5; ++i) {
    d.choose("editor/examples", "seeds");
    d.frames(OwnEditing::focus_takes + 1);
    ASSERT_FALSE(editing().drafts.empty());
    editing().drafts.back().typed += "// " + std::to_string(i) + "\n";
    EXPECT_EQ(editing().drafts.size(), i);
  }
  EXPECT_EQ(editing().drafts[3].file, "seeds_3.h");
  d.click("editor/tab0/show");
  d.frames(OwnEditing::focus_takes + 1);
  d.click("editor/tab0/close");
  d.frames(2);
  EXPECT_EQ(editing().drafts.size(), 3u);
}

TEST_F(UiEditor, GoesFromErrorToError) {
  toggle_editor(d.model);
  editing().show("a.h", "1\n2\n3\n4\n5\n", "");
  auto& draft = editing().drafts[0];
  draft.failed = true;
  draft.messages = {{4, 0, "four"}, {2, 1, "two"}};
  const auto go = [&](int by) {
    go_to_error(editing(), by);
    return editing().go_to;
  };
  EXPECT_EQ(go(1), 2);
  EXPECT_EQ(go(1), 4);
  EXPECT_EQ(go(1), 2);
  EXPECT_EQ(go(-1), 4);
  d.frames(3);  // drawn with its marks
  EXPECT_TRUE(d.has("editor/a.h/code"));
}

TEST_F(UiEditor, StandsBesideThePicturesOrInTheirPlace) {
  toggle_editor(d.model);
  for (const ImVec2 size : {ImVec2{1600, 900}, ImVec2{1280, 720}, ImVec2{900, 600}}) {
    ui::Shown shown;
    shown.editor = true;
    const auto at = ui::arrange({}, size, 2, shown, 1);
    EXPECT_GE(at.editor.width(), 370) << size.x;
    EXPECT_LE(at.editor.max.x, size.x);
    EXPECT_GE(at.centre.min.x, at.editor.max.x) << size.x;
    EXPECT_EQ(at.centre.empty(), size.x < 1280) << size.x;
    d.resize(size);
    d.frames(3);
    EXPECT_TRUE(d.has("editor/rectangle")) << size.x;
  }
}

TEST_F(UiEditor, ShowsTheCodeOfAFileBeforeItRuns) {
  const std::string text =
      "schema = 1\nscene = \"simplex\"\n[parameters]\ntracks = [\"bounding_box\", \"own:stranger\"]\n"
      "[[own]]\nname = \"stranger\"\nsource = \"Place place(Block b, Domain) { return {b.y, b.x}; }\"\n";
  d.model.trust = OwnTrust::known;
  EXPECT_THROW(read_scene_text(d.model, text, "a.toml", "/", ""), UsageError);
  ASSERT_EQ(editing().drafts.size(), 1u);
  EXPECT_TRUE(editing().open);
  EXPECT_EQ(editing().drafts[0].file, "stranger.h");
  EXPECT_EQ(editing().drafts[0].name, "");
  EXPECT_FALSE(editing().run_wanted);
}

TEST_F(UiEditor, DraftsAreKeptAndComeBack) {
  editing().show("mine.h", "Place place(Block b, Domain) { return \"\\'''\xc3\xa4\"; }\n", "");
  keep_own_drafts(editing());
  OwnEditing again;
  restore_own_drafts(again);
  ASSERT_EQ(again.drafts.size(), 1u);
  EXPECT_EQ(again.drafts[0].file, "mine.h");
  EXPECT_EQ(again.drafts[0].typed, editing().drafts[0].typed);
  std::filesystem::remove(state_folder() / "own-drafts.toml");
}

}  // namespace
}  // namespace warploom
