#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "gpu/scenes/bins/bins.h"

namespace warploom {

/// The problem that was made last: menus ask for its sizes, and a change of tracks or of a cap does not read or make
/// the input again. Copies of a scene share it; any thread.
class BinProblems {
 public:
  /// As make_bin_problem.
  std::shared_ptr<const BinProblem> make(const BinSettings& settings);
  /// What was made last, if it is of the input of this name (bin_input_name); else null.
  std::shared_ptr<const BinProblem> known(const std::string& input) const;

 private:
  mutable std::mutex mutex_;
  std::mutex making_;
  std::string key_, input_key_;
  std::shared_ptr<const BinProblem> problem_;
};

/// The input as it is named; of a file its size and its time, too, that are looked up: it may be written anew.
std::string bin_input_words(const BinSettings& settings);
/// All that the elements depend on, in words.
std::string bin_input_name(const BinSettings& settings);

}  // namespace warploom
