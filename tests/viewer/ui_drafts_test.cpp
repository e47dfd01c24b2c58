#include <unistd.h>

#include "gpu/core/files.h"
#include "gpu/own/registry.h"
#include "gpu/own/text.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/app/app.h"
#include "viewer/base/paths.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/parameters.h"

// Texts of own maps that are kept: closed, by two windows, from one session to the next; and scenes that bring some.

namespace warploom {
namespace {

struct UiDrafts : DriverTest {
  UiDrafts() {
    remove_kept();
    select_scene(d.model, "simplex");
    d.model.rebuild();
  }
  ~UiDrafts() override { remove_kept(); }
  static void remove_kept() { std::filesystem::remove(state_folder() / "own-drafts.toml"); }
  OwnEditing& editing() { return d.model.editing; }
};

TEST_F(UiDrafts, AClosedTextIsOpenedAgain) {
  editing().show("a.h", "Place place(Block b, Domain) { return {1, 2}; }", "");
  editing().show("saved.h", "int x;", "/tmp/saved.h");
  editing().close(1);  // it is in its file
  EXPECT_TRUE(editing().closed.empty());
  editing().close(0);
  ASSERT_EQ(editing().closed.size(), 1u);
  keep_own_drafts(editing());
  OwnEditing again;
  restore_own_drafts(again);
  EXPECT_TRUE(again.drafts.empty());
  ASSERT_EQ(again.closed.size(), 1u);
  again.reopen(0);
  ASSERT_EQ(again.drafts.size(), 1u);
  EXPECT_EQ(again.drafts[0].typed, "Place place(Block b, Domain) { return {1, 2}; }");
}

TEST_F(UiDrafts, TwoWindowsKeepWhatIsTypedInEither) {
  OwnEditing one, other;
  one.show("a.h", "first", "");
  keep_own_drafts(one);
  restore_own_drafts(other);
  other.show("b.h", "second", "");
  keep_own_drafts(other);
  one.drafts[0].typed = "first, changed";
  keep_own_drafts(one);
  other.drafts[1].typed = "second, changed";
  keep_own_drafts(other);  // it never changed the first
  OwnEditing next;
  restore_own_drafts(next);
  ASSERT_EQ(next.drafts.size(), 2u);
  EXPECT_EQ(next.drafts[0].typed, "first, changed");
  EXPECT_EQ(next.drafts[1].typed, "second, changed");
  // What one closed stays closed, and can be opened again although the other keeps its own after it.
  one.close(0);
  keep_own_drafts(one);
  other.drafts[1].typed = "second, once more";
  other.drafts.erase(other.drafts.begin());  // it never changed that one
  keep_own_drafts(other);
  OwnEditing last;
  restore_own_drafts(last);
  ASSERT_EQ(last.drafts.size(), 1u);
  EXPECT_EQ(last.drafts[0].file, "b.h");
  ASSERT_EQ(last.closed.size(), 1u);
  EXPECT_EQ(last.closed[0].typed, "first, changed");
}

TEST_F(UiDrafts, FilesOfOlderVersionsAreKeptOnce) {
  make_folder(state_folder());
  write_atomically(state_folder() / "own-drafts.toml",
                   "[[draft]]\nfile = \"a.h\"\npath = \"\"\nsource = \"old\"\nsaved = \"\"\n"
                   "[[draft]]\nfile = \"b.h\"\npath = \"/gone/b.h\"\nsource = \"its file is gone\"\n"
                   "saved = \"its file is gone\"\n");
  for (int session = 0; session < 3; ++session) {
    OwnEditing one;
    restore_own_drafts(one);
    ASSERT_EQ(one.drafts.size(), 2u) << session;
    EXPECT_EQ(one.drafts[0].file, "a.h");
    EXPECT_FALSE(one.drafts[1].is_saved());
    one.drafts[0].typed += "!";
    keep_own_drafts(one);
  }
  OwnEditing last;
  restore_own_drafts(last);
  EXPECT_EQ(last.drafts[0].typed, "old!!!");
  last.close(1);
  EXPECT_EQ(last.closed.size(), 1u) << "it was nowhere else";
}

TEST_F(UiDrafts, AnEditedTextIsStillThatOfItsTrack) {
  const std::string ran = "Place place(Block b, Domain) { return {b.x, b.y}; }\n";
  const std::string name = add_own(read_own_text("twice.h", ran));
  OwnEditing before;
  before.show("twice.h", ran, "");
  before.drafts[0].name = name;
  before.drafts[0].ran = ran;
  before.drafts[0].typed = ran + "// more";
  keep_own_drafts(before);
  restore_own_drafts(editing());
  open_own_texts(d.model);
  ASSERT_EQ(editing().drafts.size(), 1u);
  EXPECT_EQ(editing().drafts[0].name, name);
  EXPECT_EQ(editing().drafts[0].ran, ran);
  EXPECT_EQ(editing().drafts[0].typed, ran + "// more");
  drop_own(name);
}

TEST_F(UiDrafts, WhatIsSetBesideASceneWithCodeWaitsForIt) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / "with_code.toml").string();
  write_atomically(file,
                   "schema = 1\nscene = \"simplex\"\n[parameters]\nn = 64\ntracks = [\"bounding_box\", \"own:guest\"]\n"
                   "[[own]]\nname = \"guest\"\nsource = \"Place place(Block b, Domain) { return {b.x, b.y}; }  // of " +
                       std::to_string(getpid()) + "\"\n");
  d.model.trust = OwnTrust::known;
  Options options;
  options.scene_file = file;
  options.set = {"n=48"};
  EXPECT_THROW(apply_options(d.model, options), UntrustedCode);
  open_scene(d.model, "opened", read_with_options(d.model, options, {}));
  ASSERT_EQ(d.model.offer.words, "Run its code");
  const auto accept = d.model.offer.accept;
  accept();
  EXPECT_EQ(d.model.scene().tracks()[1], "own:guest") << d.model.notice;
  EXPECT_EQ(d.model.scene_simulation()->track(0).extent().x, 48u) << d.model.notice;
  // What cannot be set is said, and the file stands as it is.
  options.set = {"n=0"};
  open_scene(d.model, "opened", read_with_options(d.model, options, {}));
  EXPECT_NE(d.model.notice.find("n"), std::string::npos);
  EXPECT_EQ(d.model.scene_simulation()->track(0).extent().x, 64u) << d.model.notice;
  d.model.set("tracks", std::vector<std::string>{"bounding_box"});
  d.frames(2);
  drop_own("own:guest");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace warploom
