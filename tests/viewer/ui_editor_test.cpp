#include <GLFW/glfw3.h>
#include <unistd.h>

#include "gpu/core/files.h"
#include "gpu/own/registry.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/model/commands.h"
#include "viewer/model/parameters.h"
#include "viewer/model/scene_parts.h"
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

TEST_F(UiEditor, F1InTheTextShowsTheWordsOfOwnMaps) {
  d.click("scene/tracks/own");
  d.click("editor/box");
  d.frames(3);
  const auto pressed = [&] { return pressed_command(d.model, GLFW_KEY_F1, 0, KeysOf::field); };
  editing().has_focus = false;
  EXPECT_EQ(pressed(), nullptr) << "another field";
  editing().has_focus = true;
  ASSERT_NE(pressed(), nullptr);
  carry_out(d.model, *pressed());
  d.frames(2);
  EXPECT_EQ(d.state.glossary.text, "in own maps");
  // Each word that the editor colours is explained there.
  std::string all;
  for (const Term& term : own_terms()) all += std::string(term.word) + " " + term.text + "\n";
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const std::string_view word : own_words()) {
    bool whole = false;
    for (auto at = all.find(word); at != all.npos; at = all.find(word, at + 1))
      whole = whole || (!(at > 0 && letter(all[at - 1])) && !letter(all[at + word.size()]));
    EXPECT_TRUE(whole) << word;
  }
  // The dialog may be open already.
  d.state.glossary.text.clear();
  carry_out(d.model, *find_command("own_words"));
  d.frames(2);
  EXPECT_EQ(d.state.glossary.text, "in own maps");
}

TEST_F(UiEditor, ThePenOfACardOpensItsText) {
  const std::string name = add_own(read_own_text("fold.h", "Place place(Block b, Domain) { return {b.x, b.y}; }\n"));
  ASSERT_TRUE(d.model.set("domain", std::string("triangle")));
  ASSERT_TRUE(d.model.set("tracks", std::vector<std::string>{"bounding_box", name}));
  editing().show("other.h", "// other\n", "");
  d.frames(4);
  d.click("scene/tracks/edit_B");
  d.frames(2);
  ASSERT_TRUE(editing().open && editing().front());
  EXPECT_EQ(editing().front()->name, name);
  ASSERT_TRUE(d.model.set("tracks", std::vector<std::string>{"bounding_box"}));
  d.frames(4);
  EXPECT_FALSE(d.has("scene/tracks/edit_A"));
  drop_own(name);
}

TEST_F(UiEditor, ATextGetsAFileAndAFileIsOpened) {
  const TemporaryFolder place;
  d.click("scene/tracks/own");
  d.click("editor/box");
  d.frames(3);
  d.click("editor/save");  // it has no file yet
  EXPECT_EQ(d.model.path_prompt, "save_own");
  d.model.path_prompt.clear();
  EXPECT_THROW(save_own_draft_as(d.model, (place.path / "no name.h").string()), FileError);
  const auto file = place.path / "mine.h";
  save_own_draft_as(d.model, file.string());
  EXPECT_EQ(read_file(file), editing().drafts[0].typed);
  EXPECT_EQ(editing().drafts[0].file, "mine.h");
  d.model.path_prompt.clear();
  write_atomically(place.path / "other.h", "// other\n");
  take_file(d.model, (place.path / "other.h").string());
  ASSERT_EQ(editing().drafts.size(), 2u);
  EXPECT_EQ(editing().front()->typed, "// other\n");
  EXPECT_EQ(editing().front()->path, (place.path / "other.h").string());
  EXPECT_TRUE(editing().front()->name.empty()) << "nothing ran";
  write_atomically(place.path / "bytes.h", std::string("a\0b", 3));
  EXPECT_THROW(take_file(d.model, (place.path / "bytes.h").string()), FileError);
  setenv("VISUAL", "no-such-editor", 1);
  EXPECT_THROW(open_in_own_editor(d.model), UsageError);
  setenv("VISUAL", "true", 1);
  open_in_own_editor(d.model);
  EXPECT_NE(d.model.notice.find("asked true to open"), std::string::npos) << d.model.notice;
  unsetenv("VISUAL");
}

TEST_F(UiEditor, RunsAsTypedOnceBracketsMatch) {
  d.click("scene/tracks/own");
  d.click("editor/box");
  d.frames(3);
  editing().as_typed = true;
  const auto runs_after = [&](const std::string& text) {
    editing().run_wanted.reset();
    d.enter("editor/box.h/code", text);
    d.frames(60);  // a second
    return editing().run_wanted.has_value();
  };
  EXPECT_FALSE(runs_after("Place place(Block b, Domain) { return {b.x, (b.y}; }"));
  EXPECT_TRUE(runs_after("Place place(Block b, Domain) { return {b.x, (b.y)}; }"));
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
    const int line = editing().go_to;
    d.frames(3);  // drawn with its marks, and the cursor goes there
    return line;
  };
  EXPECT_EQ(go(1), 2);
  EXPECT_EQ(go(1), 4);
  EXPECT_EQ(go(1), 2);
  EXPECT_EQ(go(-1), 4);
  EXPECT_EQ(go(-1), 2);
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
      "[[own]]\nname = \"stranger\"\nsource = \"Place place(Block b, Domain) { return {b.y, b.x}; }  // of " +
      std::to_string(getpid()) + "\"\n";  // what ran once is known for good
  d.model.trust = OwnTrust::known;
  EXPECT_THROW(read_scene_text(d.model, text, "a.toml", "/", ""), UsageError);
  ASSERT_EQ(editing().drafts.size(), 1u);
  EXPECT_TRUE(editing().open);
  EXPECT_EQ(editing().drafts[0].file, "stranger.h");
  EXPECT_EQ(editing().drafts[0].name, "");
  EXPECT_FALSE(editing().run_wanted);
  // Opened in the window, it is run when that is asked for, and only then.
  open_scene(d.model, "opened", [&] { return read_scene_text(d.model, text, "a.toml", "/", ""); });
  EXPECT_EQ(d.model.scene().tracks().size(), 2u);
  EXPECT_NE(d.model.scene().tracks()[1], "own:stranger");
  ASSERT_EQ(d.model.offer.words, "Run its code");
  const auto accept = d.model.offer.accept;
  accept();
  EXPECT_EQ(d.model.scene().tracks()[1], "own:stranger") << d.model.notice;
  EXPECT_EQ(d.model.trust, OwnTrust::known);
  d.frames(3);
  // The map turns the triangle over: the card leads to the first cell that it misses.
  d.click("scene/tracks/wrong_B");
  EXPECT_EQ(d.model.picked.space, Selection::cell);
  d.model.set("tracks", std::vector<std::string>{"bounding_box"});
  d.frames(2);
  drop_own("own:stranger");
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

TEST_F(UiEditor, ShowsTheSourceOfATrackWithValues) {
  SourceView& source = d.model.source;
  d.key(GLFW_KEY_E, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  d.frames(2);
  ASSERT_TRUE(d.model.view.source && d.has("source/code") && d.has("source/file0/show"));
  EXPECT_FALSE(source.why_not().empty());
  EXPECT_FALSE(d.has("source/before"));
  d.model.activate(1);
  d.model.picked.space = Selection::cell;
  d.model.picked.at = {0, 0, 0};
  d.frames(4);
  ASSERT_TRUE(source.at() && d.has("source/before")) << source.why_not();
  // From the last line back to the first, and on again; each line has what it was last.
  EXPECT_GT(source.shown(0).size() + source.shown(1).size(), 1u);
  for (int i = 0; i < 1000; ++i) d.model.source.step(-1);
  const SeenLine first = *source.at();
  std::size_t lines = 0;
  for (std::size_t i = 0; i < source.files().size(); ++i) lines += source.shown(static_cast<int>(i)).size();
  EXPECT_EQ(lines, 1u);
  d.key(GLFW_KEY_RIGHT_BRACKET, GLFW_MOD_SHIFT);
  EXPECT_NE((std::pair{source.at()->line, source.at()->turn}), (std::pair{first.line, first.turn}));
  d.key(GLFW_KEY_LEFT_BRACKET, GLFW_MOD_SHIFT);
  EXPECT_EQ(source.at()->line, first.line);
  // Every file of it can be read; another track has other ones.
  const std::size_t files = source.files().size();
  for (std::size_t i = 0; i < files; ++i) {
    d.click("source/file" + std::to_string(i) + "/show");
    EXPECT_EQ(source.front, static_cast<int>(i));
  }
  d.model.activate(0);
  d.frames(4);
  EXPECT_FALSE(source.shown(source.front).empty()) << "a file in which something was run";
  EXPECT_EQ(source.files()[0].name, "bounding_box.h");
  // The editor takes its place, and it that of the editor.
  d.click("source/own");
  d.frames(2);
  EXPECT_TRUE(editing().open && !d.model.view.source && d.has("editor/box.h/code"));
  ASSERT_EQ(editing().drafts.size(), 1u);
  EXPECT_EQ(editing().drafts[0].file, "box.h");
  d.key(GLFW_KEY_E, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT);
  d.frames(2);
  EXPECT_TRUE(d.has("source/code"));
  d.click("source/hide");
  d.frames(2);
  EXPECT_FALSE(d.model.view.source || d.has("source/code"));
}

TEST(SeenLines, CountTheWaysThroughALine) {
  SourceValues values;
  const auto note = [&](int line, own::SeenKind kind, std::int64_t x) {
    values.notes.push_back({0, line, kind, 1, 0, 0, {x, 0, 0}, 0});
  };
  note(1, own::SeenKind::value, 4);
  for (int i = 0; i < 3; ++i) {
    values.notes.push_back({0, 2, own::SeenKind::turn, 0, 0, 0, {}, 0});
    note(2, own::SeenKind::value, i);
    note(3, own::SeenKind::answer, 10 + i);
  }
  const auto lines = seen_lines(values, 2);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0].words, "= 4");
  EXPECT_EQ((std::tuple{lines[3].line, lines[3].words, lines[3].turn, lines[3].turns}),
            (std::tuple{2, std::string("= 1"), 2, 3}));
  EXPECT_EQ(lines[6].words, "12");
  values.notes = {{0, 1, own::SeenKind::answer, 3, 0, 0, {0xffffffff, 0xffffffff, 0xffffffff}, 0},
                  {0, 2, own::SeenKind::condition, 1, 0, 1, {1, 0, 0}, 0},
                  {0, 3, own::SeenKind::value, 1, 1, 0, {}, .5}};
  EXPECT_EQ(seen_lines(values, 2)[0].words, "nowhere");
  EXPECT_EQ(seen_lines(values, 2)[1].words, "yes");
  EXPECT_EQ(seen_lines(values, 2)[2].words, "= 0.5");
  // A `while`: each condition and the turn that it lets begin are one way, and the last condition one more.
  values.notes.clear();
  for (const int holds : {1, 1, 0}) {
    values.notes.push_back({0, 4, own::SeenKind::condition, 1, 0, 1, {holds, 0, 0}, 0});
    if (!holds) continue;
    values.notes.push_back({0, 4, own::SeenKind::turn, 0, 0, 0, {}, 0});
    note(5, own::SeenKind::value, 9);
  }
  const auto loop = seen_lines(values, 2);
  ASSERT_EQ(loop.size(), 5u);
  EXPECT_EQ((std::tuple{loop[0].words, loop[0].turns, loop[4].words, loop[4].turn}),
            (std::tuple{std::string("yes"), 3, std::string("no"), 3}));
  // In space z is shown, whatever it is.
  values.notes = {{0, 1, own::SeenKind::answer, 3, 0, 0, {1, 2, 0}, 0}};
  EXPECT_EQ(seen_lines(values, 2)[0].words, "(1, 2)");
  EXPECT_EQ(seen_lines(values, 3)[0].words, "(1, 2, 0)");
}

}  // namespace
}  // namespace warploom
