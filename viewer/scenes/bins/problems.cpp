#include "viewer/scenes/bins/problems.h"

#include <fmt/format.h>

#include "gpu/core/hash.h"

namespace warploom {

namespace {

/// Of a file its size and its time too: it may be written anew.
std::string input_words(const BinSettings& settings) {
  const std::filesystem::path named(settings.input), file = named.is_absolute() ? named : settings.folder / named;
  std::error_code none;
  std::string words = settings.input;
  if (const auto size = std::filesystem::file_size(file, none); !none)
    words = fmt::format("{} {} {}", file.string(), size,
                        std::filesystem::last_write_time(file, none).time_since_epoch().count());
  return words;
}

/// What the elements depend on.
std::string input_key(const BinSettings& settings) {
  return fmt::format("{}|{}|{}|{}|{}", settings.application, input_words(settings), settings.seed, settings.grid,
                     settings.cutoff);
}

std::string whole_key(const BinSettings& s) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", input_key(s), s.bin, s.spacing, s.blobbiness, s.time_step, s.tile,
                     s.per_thread, s.cap, static_cast<int>(s.binning));
}

}  // namespace

std::shared_ptr<const BinProblem> BinProblems::make(const BinSettings& settings) {
  const std::lock_guard one_at_a_time(making_);
  const std::string input = input_key(settings), key = whole_key(settings);
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

std::shared_ptr<const BinProblem> BinProblems::known(const BinSettings& settings) const {
  const std::string input = input_key(settings);
  const std::lock_guard lock(mutex_);
  return problem_ && input == input_key_ ? problem_ : nullptr;
}

std::uint64_t input_hash(const BinSettings& settings) { return text_hash(input_words(settings)); }

}  // namespace warploom
