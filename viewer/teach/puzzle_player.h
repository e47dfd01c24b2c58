#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "gpu/core/stopwatch.h"
#include "viewer/teach/interlude.h"
#include "viewer/teach/puzzle.h"
#include "viewer/teach/stage.h"

namespace warploom {

/// What a learner has spent on a puzzle so far.
struct PuzzleTries {
  std::size_t hints = 0, attempts = 0;
  double seconds = 0;
};

/// A puzzle in the window: the learner changes what is free, asks for hints, and has the answer judged beside the
/// window. Ending brings back what was there before.
class PuzzlePlayer {
 public:
  /// `before`: of the times that it was open before.
  PuzzlePlayer(Puzzle puzzle, ScriptStage& stage, const PuzzleTries& before);
  ~PuzzlePlayer();
  PuzzlePlayer(const PuzzlePlayer&) = delete;
  PuzzlePlayer& operator=(const PuzzlePlayer&) = delete;

  /// Before a frame is composed.
  void go_on();
  bool over() const { return over_; }
  bool lively() const { return judge_ != nullptr; }
  const Puzzle& puzzle() const { return puzzle_; }
  const std::string& before() const { return interlude_.before(); }
  /// What was judged since the last call, warploom.answer/1.
  std::optional<nlohmann::ordered_json> judged() { return std::exchange(judged_, std::nullopt); }
  /// The own map of the answer that was judged last (own_map_of).
  const nlohmann::ordered_json& map() const { return map_; }
  PuzzleTries tries() const;
  /// As if it had just been opened.
  void forget_tries();

 private:
  void take(TourWish wish);
  void check();
  void hear();
  void fill_strip();
  std::string in_words(const std::string& goal) const;

  Puzzle puzzle_;
  ScriptStage& stage_;
  Interlude interlude_;
  PuzzleTries spent_;            ///< its seconds: of the times before
  std::uint64_t judged_at_ = 0;  ///< Model::changes of what was judged
  std::unique_ptr<PuzzleJudge> judge_;
  std::future<Judged> judging_;
  std::string result_, note_;
  bool is_solved_ = false, over_ = false, ends_ = false, begun_ = false, answers_ = false;
  std::optional<nlohmann::ordered_json> judged_;
  nlohmann::ordered_json map_;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  std::string best_;
  std::vector<std::string> free_;  ///< what may be changed, by its titles
};

}  // namespace warploom
