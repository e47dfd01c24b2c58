#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/teach/expression.h"

namespace warploom {

/// What a tour asks before it shows it ([steps.ask]).
struct Question {
  enum class Kind { number, choice, place, ratio };
  Kind kind = Kind::number;
  std::string text, unit, said;
  double low = 0, high = 0;  ///< of numbers
  bool logarithmic = false;
  std::vector<std::string> choices;   ///< of a choice; of a ratio: the reasons to choose among
  std::string answer;                 ///< as written; of a ratio empty
  std::optional<Expression> counted;  ///< `answer = answer` of a number, whose left side is what is counted
  std::size_t line = 0;
};
const char* name(Question::Kind kind);

/// What was found of an answer.
struct Found {
  enum class Kind { exact, close, off, none } kind = Kind::none;
  std::string words;
};
/// Of a counted number: exact, within a tenth of the range, or the factor off.
Found judge_number(const Question& question, double given, double truth);

/// With fewer pairs no ratio is told.
inline constexpr std::size_t least_pairs = 30;
/// Of a ratio that was measured: the interval that holds its median, of so many pairs.
struct MeasuredRatio {
  double median = 0, low = 0, high = 0;
  std::size_t pairs = 0;
  /// Medians of the first and the last third: where they differ by more than the interval, the machine is not steady.
  double first = 0, last = 0;
};
/// Never blames the learner for noise: `none` where this run cannot tell. `letter`: of the track whose ratio it is.
Found judge_ratio(double given, const MeasuredRatio& measured, const std::string& letter);

}  // namespace warploom
