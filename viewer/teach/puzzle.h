#pragma once
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "viewer/teach/tour.h"

namespace warploom {

/// Values of parameters as they are typed, in the order of a file or of the command line.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A puzzle (docs/learning.md): assets/puzzles/KEY.toml, or the user's own.
struct Puzzle {
  struct Case {
    Settings set;
    std::vector<LineCheck> goals;
  };
  std::string key, title, task, shows, scene, unit;
  std::vector<std::string> free;  ///< what an answer may set
  std::string reference;          ///< track A; the answer is track B
  unsigned frames = 4;
  Expression score;
  std::size_t score_line = 0;  ///< of its file
  bool most = false;           ///< more is better, else fewer
  std::vector<LineCheck> goals;
  std::vector<std::string> hints;
  std::optional<double> known;  ///< the best score that is known
  Settings parameters;          ///< where the learner starts
  std::vector<Case> also;       ///< the answer must agree here, too
  std::string origin, hash;     ///< its file; 16 hex digits of its text
  std::filesystem::path folder;

  bool better(double one, double than) const { return most ? one > than : one < than; }
  std::string start_track() const;
};

/// Throws FileError, "FILE:LINE: " first.
Puzzle read_puzzle(const std::filesystem::path& file);
Puzzle read_puzzle_text(const std::string& text, const std::string& origin, const std::filesystem::path& folder);
/// As known_tours.
std::vector<PuzzleRow> known_puzzles(std::vector<std::string>* left_out = nullptr);

/// Its scene with the values that the learner starts with, reference and start track side by side.
std::unique_ptr<Scene> puzzle_scene(const Puzzle& puzzle);
/// A score in full digits.
std::string number_text(double number);

/// Throws UsageError where an answer sets what is not free, or several tracks.
void check_answer(const Puzzle& puzzle, const Settings& answer);

/// Whether an answer solves a puzzle, and how well: schema warploom.answer/1.
struct Judged {  // NOLINT(bugprone-exception-escape): moving its JSON throws out of memory alone
  bool solved = false;
  std::optional<double> score;
  std::string missing;  ///< the first goal that does not hold, with its figures; empty: all hold
  nlohmann::ordered_json report;
};

/// Throws FileError: a puzzle whose start solves it is none.
[[noreturn]] void refuse_start(const Puzzle& puzzle);

/// Runs reference and answer anew on the CPU engine, in every case of the puzzle. Any thread; `cancel` from another
/// one.
class PuzzleJudge {
 public:
  /// Makes the scenes of all cases. The window's thread. Throws UsageError for values that are refused.
  PuzzleJudge(Puzzle puzzle, Settings answer, std::size_t hints = 0);
  /// Throws Cancelled.
  Judged judge();
  void cancel();

 private:
  struct Ready {
    std::unique_ptr<Scene> scene;
    std::string refused;  ///< why this case cannot be run
  };
  std::optional<nlohmann::ordered_json> figures(Ready& ready);

  Puzzle puzzle_;
  Settings answer_;
  std::size_t hints_;
  std::vector<Ready> cases_;  ///< the puzzle's own first
  std::mutex mutex_;
  Runner* running_ = nullptr;
  std::atomic<bool> cancelled_{false};
};

}  // namespace warploom
