#include <nlohmann/json.hpp>
#include <sstream>

#include "gpu/core/files.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/panels/dialogs.h"

namespace warploom {
namespace {

void make_files(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder / "scenes");
  std::ofstream(folder / "scenes/one.toml") << "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 3\n";
  std::ofstream(folder / "scenes/other.toml") << "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 2\n";
  std::ofstream(folder / "scenes/notes.txt") << "words";
  std::ofstream(folder / "scenes/.hidden.toml") << "";
}

using UiFiles = DriverTest;

TEST_F(UiFiles, AFolderIsListedWithoutWhatCannotBeOpened) {
  make_files(folder);
  EXPECT_EQ(listed(folder / "", {".toml"}), (std::vector<std::string>{"scenes/"}));
  EXPECT_EQ(listed(folder / "scenes", {".toml"}), (std::vector<std::string>{"one.toml", "other.toml"}));
  EXPECT_TRUE(listed(folder / "absent", {".toml"}).empty());
}

TEST_F(UiFiles, TheKeyboardAloneOpensAFile) {
  make_files(folder);
  d.state.files.folder = std::string(folder / "");
  d.key('O', control);
  d.frames(2);
  d.type("sc");
  d.field_key(ImGuiKey_DownArrow);
  d.field_key(ImGuiKey_Enter);  // into the folder
  d.frames(3);
  ASSERT_EQ(d.model.path_prompt, "open");
  EXPECT_EQ(d.state.files.folder, std::filesystem::path(folder / "scenes"));
  d.type("ot");
  d.field_key(ImGuiKey_DownArrow);
  d.field_key(ImGuiKey_Enter);
  d.frames(3);
  EXPECT_TRUE(d.model.path_prompt.empty());
  EXPECT_EQ(d.shown("level"), "2") << d.model.notice;
  // And is the first of those used last.
  d.key('O', control);
  EXPECT_EQ(d.widget("path/row_0").label, folder / "scenes/other.toml");
}

TEST_F(UiFiles, AClickOnARowOpensThatRow) {
  make_files(folder);
  d.state.files.folder = std::string(folder / "scenes");
  d.key('O', control);
  EXPECT_EQ(d.widget("path/row_0").label, "../");
  EXPECT_EQ(d.widget("path/row_2").label, "other.toml");
  d.click("path/row_1");
  EXPECT_EQ(d.shown("level"), "3") << d.model.notice;
  EXPECT_TRUE(d.model.path_prompt.empty());
}

TEST_F(UiFiles, ANewNameGetsItsEnding) {
  d.state.files.folder = std::string(folder / "");
  const auto tracks = d.model.scene().tracks();
  d.key('S', control);
  d.key('L');  // belongs to the prompt, with or without the focus
  d.answer("mine");
  EXPECT_TRUE(d.model.path_prompt.empty()) << d.model.notice;
  EXPECT_TRUE(std::filesystem::exists(folder / "mine.toml"));
  EXPECT_EQ(d.model.scene().tracks(), tracks);
}

TEST_F(UiFiles, StatsAreSavedAndReplacedOnlyWhenAsked) {
  for (int i = 0; i < 4; ++i) d.run("step");
  d.key('S', control | shift);
  d.answer(folder / "figures.json");
  ASSERT_TRUE(std::filesystem::exists(folder / "figures.json")) << d.model.notice;
  const auto stats = nlohmann::json::parse(read_file(folder / "figures.json"));
  EXPECT_EQ(stats["schema"], "warploom.stats/1");
  EXPECT_EQ(stats["steps"], 4);
  EXPECT_EQ(stats["baseline"], 0);
  EXPECT_EQ(stats["tracks"].size(), d.model.scene().tracks().size());
  d.run("step");
  d.run("save_stats");
  d.answer(folder / "figures.json");
  EXPECT_EQ(nlohmann::json::parse(read_file(folder / "figures.json"))["steps"], 4) << "it is asked before";
  ASSERT_EQ(d.model.path_prompt, "stats");
  d.click("path/go");
  EXPECT_EQ(nlohmann::json::parse(read_file(folder / "figures.json"))["steps"], 5) << d.model.notice;
  d.run("save_stats");
  d.answer(folder / "figures.txt");
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_FALSE(std::filesystem::exists(folder / "figures.txt"));
}

TEST_F(UiFiles, AnExistingFileIsNamedByAClickAndReplacedOnlyWhenAsked) {
  make_files(folder);
  d.state.files.folder = std::string(folder / "scenes");
  const std::string before = read_file(folder / "scenes/one.toml");
  d.key('S', control);
  ASSERT_EQ(d.widget("path/row_1").label, "one.toml");
  for (int i = 0; i < 2; ++i) {  // a double click
    d.press(true);
    d.click("path/row_1");
  }
  EXPECT_EQ(read_file(folder / "scenes/one.toml"), before);
  EXPECT_EQ(d.state.path_text, folder / "scenes/one.toml");
  d.click("path/go");
  EXPECT_EQ(read_file(folder / "scenes/one.toml"), before);
  EXPECT_EQ(d.widget("path/go").label, "Replace");
  d.click("path/go");
  EXPECT_NE(read_file(folder / "scenes/one.toml"), before) << d.model.notice;
}

TEST_F(UiFiles, OpeningAFileCanBeUndone) {
  std::ofstream(folder / "other.toml") << "schema = 1\nscene = \"fractal\"\n[parameters]\nlevel = 3\n";
  std::ofstream(folder / "simplex.toml") << "schema = 1\nscene = \"simplex\"\n[parameters]\nn = 12\n";
  const auto values = d.model.values();
  for (const std::string file : {"other.toml", "simplex.toml"}) {
    d.key('O', control);
    d.answer(folder / file);
    if (file == "other.toml") {
      ASSERT_EQ(d.shown("level"), "3");
    } else {
      ASSERT_EQ(std::string(d.model.scene().key()), "simplex");
    }
    d.run("undo");
    EXPECT_EQ(std::string(d.model.scene().key()), "fractal");
    EXPECT_EQ(d.model.values(), values) << "a scene replaces every parameter: one undoable change";
  }
}

TEST_F(UiFiles, ADumpGoesToAFolderOfItsOwn) {
  make_files(folder);
  d.run("save_dump");
  d.answer(folder / "scenes");
  EXPECT_TRUE(d.model.notice_is_error) << "people's files stay: " << d.model.notice;
  EXPECT_TRUE(std::filesystem::exists(folder / "scenes/one.toml"));
  while (!d.model.notice.empty() || !d.model.path_prompt.empty()) d.key(escape);
  d.run("save_dump");
  d.answer(folder / "dump");
  EXPECT_TRUE(std::filesystem::exists(folder / "dump/manifest.json")) << d.model.notice;
  EXPECT_TRUE(std::filesystem::exists(folder / "dump/track0_state.npy"));
}

using UiPlots = DriverTest;

TEST_F(UiPlots, APlotIsShownLargeSwitchedAndSaved) {
  for (int i = 0; i < 20; ++i) d.run("step");
  d.click("plots/place_2/open");
  ASSERT_TRUE(d.has("plot/figure"));
  d.click("plot/histogram");
  EXPECT_EQ(d.model.view.plots[1], "histogram");
  EXPECT_NE(scene_text(d.model).find("histogram"), std::string::npos);
  d.click("plot/csv");
  ASSERT_EQ(d.model.path_prompt, "csv");
  d.answer(folder / "points");
  ASSERT_TRUE(std::filesystem::exists(folder / "points.csv")) << d.model.notice;
  // Every sample is in one bin: a bin is a level line of two points.
  const auto counted = [&](const std::string& name) {
    double sum = 0;
    std::istringstream lines(read_file(folder / "points.csv"));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("\"" + name + "\"")) sum += std::stod(line.substr(line.rfind(',') + 1)) / 2;
    return sum;
  };
  EXPECT_LE(counted("A"), 20);
  EXPECT_GE(counted("A") + counted("B"), 2 * 20 - 1) << "but for the slowest hundredth";
  d.click("plot/svg");
  d.answer(folder / "plot.svg");
  EXPECT_TRUE(read_file(folder / "plot.svg").starts_with("<svg")) << d.model.notice;
  d.key(escape);
  while (!d.model.notice.empty()) d.key(escape);
  d.key(escape);
  EXPECT_FALSE(d.has("plot/figure"));
}

TEST_F(UiPlots, MeasuringTheMapsSaysWhatItShowsAndThereIsAWayBack) {
  d.open("simplex", {{"n", std::int64_t{24}}});
  d.run("time_maps");
  EXPECT_EQ(d.model.view.plots[2], "gain");
  EXPECT_NE(d.model.notice.find("third plot"), std::string::npos);
  while (!d.model.notice.empty()) d.key(escape);
  d.click("plots/place_3/open");
  d.click("plot/waste");
  EXPECT_EQ(d.model.view.plots[2], "waste");
}

}  // namespace
}  // namespace warploom
