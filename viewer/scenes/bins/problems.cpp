#include "viewer/scenes/bins/problems.h"

#include <fmt/format.h>

namespace warploom {

std::string bin_input_words(const BinSettings& settings) {
  const auto file = settings.folder / settings.input;  // the input itself where it is absolute
  std::error_code none;
  std::string words = settings.input;
  if (const auto size = std::filesystem::file_size(file, none); !none)
    words = fmt::format("{} {} {}", file.string(), size,
                        std::filesystem::last_write_time(file, none).time_since_epoch().count());
  return words;
}

std::string bin_input_name(const BinSettings& settings) {
  return fmt::format("{}|{}|{}|{}|{}", settings.application, bin_input_words(settings), settings.seed, settings.grid,
                     settings.cutoff);
}

namespace {

std::string whole_key(const BinSettings& s) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", bin_input_name(s), s.bin, s.spacing, s.blobbiness, s.time_step,
                     s.tile, s.per_thread, s.cap, static_cast<int>(s.binning));
}

}  // namespace

std::shared_ptr<const BinProblem> BinProblems::make(const BinSettings& settings) {
  const std::lock_guard one_at_a_time(making_);
  const std::string input = bin_input_name(settings), key = whole_key(settings);
  std::shared_ptr<const BinProblem> before;
  {
    const std::lock_guard lock(mutex_);
    if (problem_ && key == key_) return problem_;
    if (problem_ && input == input_key_) before = problem_;
  }
  auto made = before ? make_bin_problem(settings, before->input) : make_bin_problem(settings);
  const std::lock_guard lock(mutex_);
  problem_ = made;
  key_ = key;
  input_key_ = input;
  return made;
}

std::shared_ptr<const BinProblem> BinProblems::known(const std::string& input) const {
  const std::lock_guard lock(mutex_);
  return problem_ && input == input_key_ ? problem_ : nullptr;
}

}  // namespace warploom
