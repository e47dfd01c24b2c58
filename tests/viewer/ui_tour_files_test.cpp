#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <tuple>

#include "gpu/core/error.h"
#include "tests/viewer/small_tour.h"
#include "viewer/teach/puzzle.h"
#include "viewer/teach/tour.h"

// Files of tours, and how answers are judged (docs/learning.md).

namespace warploom {
namespace {

TEST(TourFiles, AreReadWithTheirLines) {
  const Tour tour = read_tour_text(small_tour, "small.toml", ".");
  ASSERT_EQ(tour.steps.size(), 4u);
  EXPECT_EQ(tour.key, "small");
  EXPECT_EQ(tour.steps[0].script.lines[0].number, 10u);
  EXPECT_EQ(tour.steps[0].checks[0].line, 15u);
  EXPECT_EQ(tour.steps[2].until->line, 35u);
  EXPECT_EQ(tour.steps[2].checks[0].line, 37u);
  EXPECT_EQ(tour.steps[1].question->kind, Question::Kind::number);
}

TEST(TourFiles, ListsSayWhatIsInThem) {
  const auto tours = known_tours();
  EXPECT_GE(tours.size(), 10u);
  for (const TourRow& row : tours) {
    ASSERT_TRUE(comes_with_program(row.file)) << row.file;
    const Tour tour = read_tour(row.file);
    EXPECT_EQ(std::tie(row.key, row.title, row.idea, row.scene, row.minutes),
              std::tie(tour.key, tour.title, tour.idea, tour.scene, tour.minutes));
    EXPECT_EQ(row.steps, tour.steps.size()) << row.key;
  }
  const auto puzzles = known_puzzles();
  EXPECT_GE(puzzles.size(), 8u);
  for (const PuzzleRow& row : puzzles) {
    const Puzzle puzzle = read_puzzle(row.file);
    EXPECT_EQ(std::tie(row.key, row.title, row.task, row.shows, row.scene, row.unit),
              std::tie(puzzle.key, puzzle.title, puzzle.task, puzzle.shows, puzzle.scene, puzzle.unit));
  }
}

TEST(TourFiles, WrongOnesSayWhereAndWhat) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = small_tour;
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
  };
  const std::string long_words(421, 'a');
  const std::tuple<std::string, int, const char*> wrong[] = {
      {with("schema = 1", "schema = 2"), 1, "reads 1"},
      {with("schema = 1\n", ""), 1, "schema"},
      {with("idea", "ideas"), 3, "'idea'"},
      {with("scene = \"fractal\"", "scene = \"fractals\""), 4, "'fractal'"},
      {with("title = \"The data\"", "titel = \"The data\""), 7, "'title'"},
      {with("These are", long_words), 8, "420"},
      {with("[[launch grid]]", "[[lanch grid]]"), 8, "'launch grid'"},
      {with("set level=4", "set levell=4"), 10, "'level'"},
      {with("mark data_A \"here\"", "stats s.json"), 12, "refused in tours"},
      {with("results.cells = 81", "result.cells = 81"), 15, "'results'"},
      {with("kind = \"number\"", "kind = \"numbers\""), 23, "'number'"},
      {with("low = 0", "low = 300"), 21, "below high"},
      {with("answer = \"tracks", "answer = \"trakcs"), 26, "'tracks'"},
      {with("answer = \"tracks.A.threads.useful\"", "answer = \"300\""), 26, "outside"},
      {with("then = \"select", "than = \"select"), 36, "'then'"},
      {with("then = \"select thread:A:3,0:1,1\"\n", ""), 35, "then"},
      {with("until = \"selection.useful = false\"\n", ""), 35, "until"},
      {with("set level=6", "set state=/etc/x.npy"), 44, "own folder"},
      {with("title = \"Another level\"", "title = "), 40, "TOML"},
      {"schema = 1\ntour = \"a\"\nidea = \"b\"\nscene = \"fractal\"\n", 1, "steps"}};
  for (const auto& [text, line, why] : wrong) try {
      (void)read_tour_text(text, "t.toml", ".");
      ADD_FAILURE() << why;
    } catch (const FileError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("t.toml:" + std::to_string(line) + ":")) << said << " for " << why;
      EXPECT_NE(said.find(why), std::string::npos) << said << " for " << why;
    }
}

TEST(TourFiles, WordsOfQuestionsAreOfTheGlossary) {
  std::string text = small_tour;
  text.replace(text.find("How many have a cell?"), 8, "How many [[threadz]]");
  try {
    (void)read_tour_text(text, "small.toml", "/");
    ADD_FAILURE() << "an unknown word was taken";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("threadz"), std::string::npos) << error.what();
  }
}

TEST(TourFiles, MutatedOnesAreReadOrRefused) {
  const char* count = std::getenv("WARPLOOM_FUZZ_TEXTS");
  std::mt19937 random(33);
  for (int i = count ? std::atoi(count) : 200; i > 0; --i) {
    std::string text = small_tour;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text[at] = static_cast<char>(random() % 256);
      else
        text.erase(at, 1 + random() % 40);
    }
    try {
      (void)read_tour_text(text, "t.toml", ".");
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("t.toml:")) << error.what();
    }
  }
}

TEST(Questions, CountsAreExactCloseOrOff) {
  Question question;
  question.low = 0, question.high = 256;
  EXPECT_EQ(judge_number(question, 81, 81).kind, Found::Kind::exact);
  EXPECT_EQ(judge_number(question, 100, 81).kind, Found::Kind::close);
  EXPECT_EQ(judge_number(question, 162, 81).words, "You said 162. It is 81: 2.0 times too high.");
  EXPECT_EQ(judge_number(question, 20, 81).words, "You said 20. It is 81: 4.0 times too low.");
}

TEST(Questions, NoiseIsNeverBlamedOnTheLearner) {
  const auto kind = [](double given, const MeasuredRatio& measured) { return judge_ratio(given, measured, "B").kind; };
  EXPECT_EQ(kind(2, {1.5, 1.47, 1.53, 12}), Found::Kind::none);
  EXPECT_EQ(judge_ratio(2, {1.5, 1.47, 1.53, 12}, "B").words, "Not yet: 12 of 30 pairs.");
  EXPECT_EQ(kind(3, {3.02, 2.99, 3.05, 60}), Found::Kind::close);
  EXPECT_EQ(judge_ratio(1, {3, 2.98, 3.02, 60}, "B").words,
            "B was 3.00 [2.98, 3.02] times as fast; you said 1: 3.0 times too low.");
  EXPECT_EQ(kind(1.5, {1.01, .97, 1.04, 60}), Found::Kind::none);
  EXPECT_EQ(kind(1.02, {1.01, .97, 1.04, 60}), Found::Kind::close);
  // A map against itself: narrow, and not at 1.
  EXPECT_EQ(kind(1.5, {1.028, 1.026, 1.029, 60}), Found::Kind::none);
  EXPECT_EQ(kind(1.5, {1.06, 1.058, 1.062, 60}), Found::Kind::off);
  // A slow half.
  EXPECT_EQ(kind(2, {1.5, 1.47, 1.53, 60, 1.2, 1.8}), Found::Kind::none);
}

}  // namespace
}  // namespace warploom
