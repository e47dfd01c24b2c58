#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "gpu/tracks/bins/bins.h"

namespace warploom {

/// The problem that was made last: menus ask for its sizes, and a change of tracks or of a cap does not read or make
/// the input again. Copies of a scene share it; any thread.
class BinProblems {
 public:
  /// As make_bin_problem.
  std::shared_ptr<const BinProblem> make(const BinSettings& settings);
  /// What was made of the same input, if that is the last; else null.
  std::shared_ptr<const BinProblem> known(const BinSettings& settings) const;

 private:
  mutable std::mutex mutex_;
  std::mutex making_;
  std::string key_, input_key_;
  std::shared_ptr<const BinProblem> problem_;
};

/// Hash of what the input is: of a file by its size and its time.
std::uint64_t input_hash(const BinSettings& settings);

}  // namespace warploom
