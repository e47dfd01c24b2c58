#pragma once
#include <string>
#include <vector>

#include "viewer/teach/asking.h"

namespace warploom {

/// learning.json of the state folder (warploom.learning/1): what was asked and answered, on this machine alone.
struct Learning {
  nlohmann::ordered_json all;
  std::string remark;  ///< a damaged file was set aside; empty: none was

  bool done(const std::string& tour) const;
  /// The best score of a puzzle on this machine, with its unit; empty: it was not solved yet.
  std::string best(const std::string& puzzle) const;
  /// "12 asked, 7 right, 3 close; ratios mostly too high, by 1.8"; empty: nothing was asked.
  std::string tally() const;
};
/// `sets_aside`: a damaged file gets another name, so that what is learned from now on is kept.
Learning read_learning(bool sets_aside = true);
void keep_answer(const Answered& answered, Model& model);
/// A puzzle was solved, warploom.answer/1; the better of two scores stays. `most`: more is better.
void keep_solved(const nlohmann::ordered_json& answer, bool most);
/// A tour was gone through to its end.
void keep_done(const std::string& tour);
/// What a command asks for: deletes the file. Whether there was one.
bool forget_learning();

}  // namespace warploom
