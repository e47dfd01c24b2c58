#include <fstream>
#include <future>

#include "tests/files/files.h"
#include "tests/viewer/parameters.h"
#include "viewer/app/app.h"
#include "viewer/base/png.h"
#include "viewer/model/scene_text.h"

// A state that was painted goes where its scene goes: by copy and paste, by files, over a restart.

namespace warploom {
namespace {

/// Painted at step 3 of a small gasket, now at step 5.
struct Edited : ::testing::Test {
  Model model{Backend::cpu, true};
  Seal seal;

  void SetUp() override {
    model.set("level", std::int64_t{5});
    model.set("seed", std::uint64_t{7});
    model.rebuild();
    model.runner().step(3);
    paint_three(model);
    model.runner().step(2);
    seal = now(model);
  }
  static Seal now(Model& model) { return model.runner().simulation()->reference_status().seal; }
  /// Reads a text into a model, whatever it showed.
  static void open(Model& model, const std::string& text) {
    const LoadedScene loaded = read_scene_text(model, text, "text", ".");
    EXPECT_TRUE(loaded.warning.empty()) << loaded.warning;
    model.start(loaded.steps);
  }
  void expect_same(Model& other) const {
    EXPECT_EQ(other.runner().simulation()->steps(), 5u);
    EXPECT_EQ(now(other).hash, seal.hash);
    EXPECT_EQ(other.runner().history(), "painted at step 3");
  }
};

TEST_F(Edited, TravelsInTheText) {
  const std::string text = scene_text(model);
  Model other(Backend::cpu, true);
  open(other, text);
  expect_same(other);
  // And from there on, as often as one likes.
  EXPECT_EQ(scene_text(other), text);
  open(other, scene_text(other));
  expect_same(other);
}

TEST_F(Edited, PastedOverItselfStaysAtItsStep) {
  const std::string text = scene_text(model);
  open(model, text);
  expect_same(model);
  model.runner().step(4);
  open(model, text);
  expect_same(model);
}

TEST_F(Edited, ACaptureOpensAgainAndAgain) {
  TemporaryFolder folder;
  const auto capture = [&](const char* name, Model& shown) {
    write_capture(folder / name, shown, 2, 2, std::vector<Rgba>(4, 0xff000000u), edited_state(shown));
  };
  const auto open_capture = [&](const char* name, Model& into) {
    const LoadedScene loaded = read_scene_file(into, folder / name);
    EXPECT_TRUE(loaded.warning.empty()) << loaded.warning;
    into.start(loaded.steps);
    expect_same(into);
  };
  capture("shot.png", model);
  Model other(Backend::cpu, true), third(Backend::cpu, true);
  for (int i = 0; i < 3; ++i) {
    open_capture("shot.png", other);
    if (i == 0) capture("again.png", other);
    other.runner().step(i);
  }
  open_capture("again.png", third);
  open(other, scene_text(other));
  EXPECT_EQ(other.runner().simulation()->steps(), 7u);
}

TEST_F(Edited, AResetGoesToTheStateThatWasGiven) {
  Model other(Backend::cpu, true);
  open(other, scene_text(model));
  other.runner().step(3);
  other.runner().reset();
  expect_same(other);
  EXPECT_EQ(parameter(other.scene(), "state").consequence(), "given, step 5");
}

TEST_F(Edited, ChangedRulesInMidRunTravelToo) {
  Model changed(Backend::cpu, true);
  changed.set("level", std::int64_t{5});
  changed.rebuild();
  changed.runner().step(4);
  ASSERT_TRUE(changed.set("rule", std::string("B2/S13")));
  changed.runner().step(2);
  ASSERT_FALSE(changed.runner().history().empty());
  Model other(Backend::cpu, true);
  open(other, scene_text(changed));
  EXPECT_EQ(other.runner().simulation()->steps(), 6u);
  EXPECT_EQ(now(other).hash, now(changed).hash);
}

/// A window over a painted gasket whose runner is busy for a while.
struct BusyRunner : ::testing::Test {
  Model model{Backend::cpu, false};
  std::promise<void> go;

  void SetUp() override {
    model.set("level", std::int64_t{5});
    // Until the model has seen it, too.
    ASSERT_TRUE(frames_until(
        model, [&] { return model.runner().simulation() && !model.building() && !model.runner().busy(); }));
    paint_three(model);
    ASSERT_TRUE(frames_until(model, [&] { return !model.runner().busy(); }));
    model.runner().change([free = go.get_future().share()](Queue&, Simulation&) { free.wait(); }, "held");
  }
};

TEST_F(BusyRunner, ATabIsLeftWithoutWaitingForIt) {
  show_scene(model, "simplex");  // would hang here if it waited
  EXPECT_STREQ(model.scene().key(), "fractal") << "until its state is read";
  EXPECT_TRUE(model.reading());
  go.set_value();
  ASSERT_TRUE(frames_until(model, [&] { return std::string(model.scene().key()) == "simplex"; }));
  EXPECT_TRUE(has(model.left["fractal"], "cells = ")) << "with the state that was painted";
}

TEST_F(BusyRunner, ItsStateIsCopiedInALaterFrame) {
  std::string copied;
  with_edited_state(model, [&](const EditedState& edited) { copied = scene_text(model, {}, &edited); });
  EXPECT_EQ(copied, "");
  go.set_value();
  ASSERT_TRUE(frames_until(model, [&] { return !copied.empty(); }));
  EXPECT_TRUE(has(copied, "cells = "));
}

TEST(Opening, StartsTheSceneAnew) {
  Model model(Backend::cpu, true);
  model.set("level", std::int64_t{4});
  model.rebuild();
  model.runner().step(10);
  const std::string text = scene_text(model);
  const auto seal = model.runner().simulation()->reference_status().seal.hash;
  model.runner().step(7);
  model.start(read_scene_text(model, text, "text", ".").steps);
  EXPECT_EQ(model.runner().simulation()->steps(), 10u);
  EXPECT_EQ(model.runner().simulation()->reference_status().seal.hash, seal);
}

TEST(Opening, RefusesUnknownKeysOfAState) {
  Model model(Backend::cpu, true);
  const std::string text = "schema = 1\nscene = \"fractal\"\n[state]\nstepp = 3\n";
  expect_parts(message_of<FileError>([&] { (void)read_scene_text(model, text, "text", "."); }),
               {"did you mean 'step'"});
}

/// A chunk is no longer than the file says it is: libpng would ask for its memory first.
TEST(StoredPicture, EndsWhereItsChunksDo) {
  TemporaryFolder folder;
  const std::string file = folder / "a.png";
  const std::string whole = png_bytes({4, 2, std::vector<Rgba>(8, rgba(9, 9, 9)), {{"key", "words"}}});
  const auto read = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    return read_png(file);
  };
  EXPECT_EQ(read(whole).texts.size(), 1u);
  EXPECT_EQ(read(whole + "[words that another program put behind it").width, 4);
  const std::string head("[\0\0\0iTXt", 8);
  for (const std::string& data : {std::string(), std::string("key"), std::string(64, ' ')}) {
    const std::string torn = whole.substr(0, 33) + head + data;
    EXPECT_NE(message_of<FileError>([&] { (void)read(torn); }).find("cut short"), std::string::npos);
  }
}

}  // namespace
}  // namespace warploom
