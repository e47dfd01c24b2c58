#include <fstream>
#include <functional>

#include "gpu/core/files.h"
#include "tests/viewer/mutated.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/teach/classroom.h"

// What comes from others' machines, tours, puzzles, classes and hand-ins, with changed bytes: it is read, or refused by
// an Error that names it (docs/learning.md).

namespace warploom {
namespace {

using Json = nlohmann::ordered_json;

void refuses_by_name(const std::string& whole, int count, const std::string& named,
                     const std::function<void(const std::string&)>& read) {
  std::mt19937 random(1130);
  int taken = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = mutated(whole, random);
    try {
      read(text);
      ++taken;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(named)) << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "no Error: " << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, count);
}

std::string text_of(const char* file) { return read_file(std::filesystem::path(WARPLOOM_SOURCE_DIR) / file); }

TEST(TeachTexts, MutatedToursAndPuzzlesAreReadOrRefused) {
  for (const char* tour : {"assets/tours/thread_map.toml", "assets/tours/roots.toml"})
    refuses_by_name(text_of(tour), mutated_texts(200), "t.toml",
                    [](const std::string& text) { (void)read_tour_text(text, "t.toml", "/nonexistent"); });
  for (const char* puzzle : {"assets/puzzles/small_break.toml", "assets/puzzles/few_tests.toml"})
    refuses_by_name(text_of(puzzle), mutated_texts(200), "p.toml",
                    [](const std::string& text) { (void)read_puzzle_text(text, "p.toml", "/nonexistent"); });
}

TEST(TeachTexts, WithoutALineOrWithAnotherValueTheyAreReadOrRefused) {
  const auto each = [](const char* file, const std::string& named, const auto& read) {
    const std::string whole = text_of(file);
    int refused = 0;
    for (std::size_t begin = 0, end; begin < whole.size(); begin = end + 1) {
      end = std::min(whole.find('\n', begin), whole.size());
      const std::string line = whole.substr(begin, end - begin), key = line.substr(0, line.find(" = "));
      for (const std::string& other : {std::string(), key + " = 5", key + " = [[]]", key + " = {}", "[" + key + "]"})
        try {
          read(whole.substr(0, begin) + other + whole.substr(end));
        } catch (const Error& error) {
          EXPECT_TRUE(std::string(error.what()).starts_with(named)) << error.what();
          ++refused;
        }
    }
    EXPECT_GT(refused, 20) << file;
  };
  each("assets/tours/thread_map.toml", "t.toml",
       [](const std::string& text) { (void)read_tour_text(text, "t.toml", "/nonexistent"); });
  each("assets/puzzles/small_break.toml", "p.toml",
       [](const std::string& text) { (void)read_puzzle_text(text, "p.toml", "/nonexistent"); });
}

class ClassTexts : public ::testing::Test {
 protected:
  ClassTexts() : folder_(std::filesystem::current_path() / "mutated-class") {
    std::filesystem::remove_all(folder_);
    make_classroom(folder_, {"Wednesday", {"thread_map"}, {"full_house", "small_break"}, {}});
  }
  ~ClassTexts() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_;
};

TEST_F(ClassTexts, MutatedClassesAreReadOrRefused) {
  const auto file = folder_ / "class.toml";
  refuses_by_name(read_file(file), mutated_texts(200), file.string(), [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    const Classroom read = read_classroom(folder_);
    // What it names may be missing.
    for (const auto& key : read.puzzles) try {
        (void)read_puzzle(read.puzzle(key));
      } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find(folder_.filename().string()), std::string::npos) << error.what();
      }
  });
}

TEST_F(ClassTexts, MutatedHandInsAreReadOrRefusedAndNeverEndACollection) {
  const Classroom classroom = read_classroom(folder_);
  Json whole = empty_hand_in(classroom, "Ada");
  const Json answer{{"puzzle", "small_break"},
                    {"puzzle_hash", read_puzzle(classroom.puzzle("small_break")).hash},
                    {"answer", {{"n", 7}, {"block", 1}, {"work", "single_write"}}},
                    {"solved", true},
                    {"score", 7},
                    {"hints", 1}};
  add_answer(whole, answer, 3, 40, {{"file", "fold.h"}, {"source", "Place place(Block b, Domain) { return b; }"}});
  whole["predictions"].push_back(
      {{"tour", "thread_map"}, {"step", 2}, {"question", 0}, {"given", 3}, {"was", 4.5}, {"verdict", "too low"}});
  whole["tours"].push_back("thread_map");
  const auto file = folder_ / "Ada.warploom.json";
  int count = 0;
  refuses_by_name(whole.dump(1), mutated_texts(400), file.string(), [&](const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
    // Its answer has a map, so nothing is judged where its text is whole.
    if (++count % 8 == 0) (void)collect(classroom, {file.string()}, false, [] { return false; });
    (void)parsed_hand_in(file);
  });
}

}  // namespace
}  // namespace warploom
