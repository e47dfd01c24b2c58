#pragma once
#include <optional>
#include <string>

#include "viewer/teach/question.h"
#include "viewer/teach/stage.h"

namespace warploom {

/// What was asked, answered and found: a line of learning.json.
struct Answered {
  std::string place;  ///< "thread_map, step 2", or a scene
  std::string kind, question;
  nlohmann::ordered_json given, truth;  ///< null: skipped; nothing was found
  std::string why;                      ///< the reason that was chosen for a ratio
  bool skipped = false;
  std::string found;  ///< "exact", "close", "off", "none"
};

/// The track whose ratio is asked: the active one, or the first that is not the baseline.
std::size_t judged_track(const Model& model, const Simulation& tracks);

/// A question that stands in the strip: takes the answer, finds the truth, says what is to be said.
class Asking {  // NOLINT(bugprone-exception-escape): moving its JSON throws out of memory alone
 public:
  /// What would tell the answer is hidden from here on.
  void begin(const Question& question, ScriptStage& stage);
  /// Once a frame. What it answers is to be kept, once.
  std::optional<Answered> go_on(ScriptStage& stage);
  void answer(ScriptStage& stage, bool skipped);
  bool stands() const { return question_.has_value(); }
  void end(ScriptStage& stage);

 private:
  /// The right answer as it is told.
  std::string shown(Model& model, const nlohmann::ordered_json& truth) const;
  std::optional<Answered> found(ScriptStage& stage, const Found& what, nlohmann::ordered_json given,
                                nlohmann::ordered_json truth);
  std::optional<Answered> judge_ratio_now(ScriptStage& stage);

  std::optional<Question> question_;
  StatsNow stats_;
  Expression::Answer kept_;
  std::vector<std::string> tracks_;       ///< of a ratio: as they were when it was asked,
  std::size_t baseline_ = 0, track_ = 0;  ///< ... and which two
  bool skipped_ = false, told_ = false;
  std::string picked_;  ///< what was picked when the question came
};

}  // namespace warploom
