#include <set>

#include "tests/sanitized.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"

namespace warploom {
namespace {

struct Size {
  float width, height, scale;
};
// The release build looks at all of them.
const std::vector<Size> sizes =
    sanitized ? std::vector<Size>{{900, 600, 1}, {2560, 1440, 2}}
              : std::vector<Size>{{900, 600, 1}, {1280, 720, 1}, {1440, 900, 1}, {1600, 900, 1}, {2560, 1440, 2}};
constexpr std::int64_t side = sanitized ? 24 : 96;

/// A scene as a user has it before them: some steps timed, a cell under the mouse.
void prepare(Driver& d, const std::string& scene, int tracks, const Driver::Values& values) {
  d.open(scene, values);
  while (static_cast<int>(d.model.scene().tracks().size()) < tracks) d.run("add_track");
  while (static_cast<int>(d.model.scene().tracks().size()) > tracks) d.run("remove_track");
  for (int i = 0; i < 12; ++i) d.run("step");
  d.refresh();
}

std::set<std::string> cut_words(const Driver& d) {
  // What a field draws of its hint is cut before it is drawn.
  std::set<std::string> cut(d.ui.cut_hints.begin(), d.ui.cut_hints.end());
  for (const SeenText& text : TextReader().read())
    if (text.cut()) cut.insert(text.words);
  return cut;
}

std::string listed_words(const std::set<std::string>& words) {
  std::string all;
  for (const auto& word : words) all += "\n  \"" + word + "\"";
  return all;
}

TEST(UiLabels, TheReaderReadsWhatIsOnTheScreen) {
  Driver d({1600, 900});
  std::set<std::string> words;
  for (const SeenText& text : TextReader().read()) words.insert(text.words);
  EXPECT_TRUE(words.contains("Warploom"));
  EXPECT_TRUE(words.contains("Fractals"));
  d.model.tell("a word that is far too long for its place: " + std::string(2000, 'm'));
  d.resize({240, 600});
  EXPECT_FALSE(cut_words(d).empty()) << "in so narrow a window something must be cut, and the reader must see it";
}

class UiLabels : public testing::TestWithParam<int> {};

/// Nothing is cut of what the screen says.
void expect_whole(const Driver& d, const Size& size, int tracks, const std::string& of) {
  const auto cut = cut_words(d);
  EXPECT_TRUE(cut.empty()) << of << ", " << size.width << " x " << size.height << ", " << tracks << " tracks"
                           << listed_words(cut);
}

TEST_P(UiLabels, NothingIsCutInFractalsTrianglesAndTetrahedra) {
  const struct {
    const char *scene, *theme;
    Driver::Values values;
    std::optional<Cell> hovered;
  } all[] = {{"fractal", "dark", {}, Cell{255, 255, 0}},
             {"simplex", "light", {{"domain", std::string("triangle")}, {"n", std::int64_t{64}}}, Cell{61, 63, 0}},
             {"simplex", "dark", {{"n", side}}, {}}};
  for (const auto& what : all)
    for (const Size& size : sizes) {
      Driver d({size.width, size.height}, size.scale, what.theme);
      prepare(d, what.scene, GetParam(), what.values);
      if (what.hovered) d.move(d.cell_at(0, *what.hovered));
      d.frames(2);
      expect_whole(d, size, GetParam(), what.scene);
    }
}

/// The choices of a parameter; sanitized, where every step is looked at, the first.
std::vector<std::string> choices_of(const std::string& scene, const std::string& key) {
  Driver d;
  d.open(scene);
  std::vector<std::string> all;
  for (const auto& choice : d.parameter(key).choices) all.push_back(choice.key);
  if (sanitized) all.resize(1);
  return all;
}

/// Looks at a scene under every choice of a parameter, in every size and both themes: without a place picked, and with
/// each of `places`.
void expect_all_whole(const std::string& scene, const std::string& key, const Driver::Values& values, int tracks,
                      const std::vector<Selection>& places) {
  const auto choices = choices_of(scene, key);
  for (const Size& size : sizes)
    for (const char* theme : {"dark", "light"}) {
      if (tracks != 4 && (tracks % 2 == 0) != (theme == std::string("light"))) continue;  // four tracks have both
      Driver d({size.width, size.height}, size.scale, theme);
      Queue questions(Backend::cpu, true, 1);
      for (const std::string& choice : choices) {
        auto all = values;
        all.insert(all.begin(), {key, choice});
        prepare(d, scene, tracks, all);
        const std::string of = scene + " " + choice + " " + theme;
        d.model.tell({});
        d.frames(2);
        expect_whole(d, size, tracks, of);
        d.questions = &questions;
        for (const Selection& picked : places) {
          d.model.picked = picked;
          d.frames(2);
          expect_whole(d, size, tracks, of + ", " + picked.space);
        }
        d.questions = nullptr;
        d.model.picked = {};
        d.frame();
      }
    }
}

TEST_P(UiLabels, NothingIsCutInBins) {
  expect_all_whole("bins", "application", {{"input", std::string("150")}}, GetParam(),
                   {{"element", {17, 0, 0}, 0, {}}, {"bin", {1, 1, 1}, 0, {}}, {Selection::cell, {4, 0, 0}, 0, {}}});
}

TEST_P(UiLabels, NothingIsCutInButterflies) {
  expect_all_whole("butterfly", "algorithm", {}, GetParam(),
                   {{"wire", {3, 2, 0}, 0, {}}, {"wire", {5, 6, 0}, 0, {}}, {"output", {1, 1, 0}, 0, {}}});
}

INSTANTIATE_TEST_SUITE_P(Tracks, UiLabels, testing::Values(1, 2, 3, 4));

TEST(UiLabels, HelpAndPaletteTellTheirWordsWhole) {
  for (const Size& size : sizes) {
    Driver d({size.width, size.height}, size.scale);
    for (const char* dialog : {"help", "palette", "glossary", "open_scene", "save_scene"}) {
      d.run(dialog);
      d.frames(2);
      expect_whole(d, size, 2, dialog);
      d.key(256);
    }
  }
}

}  // namespace
}  // namespace warploom
