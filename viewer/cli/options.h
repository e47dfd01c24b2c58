#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/error.h"

namespace warploom {

/// The command line, as typed. Values are checked where they are used; here only their form is.
struct Options {
  std::string command = "view";
  std::vector<std::string> words;  ///< scene of view and run, topic of list, suites of bench
  std::vector<std::string> set;
  std::string scene_file, backend = "auto", interop = "auto", theme, capture, stats, dump;
  std::optional<std::uint64_t> frames, seed;
  std::uint64_t steps_per_frame = 1, warmup = 0;
  int width = 0, height = 0;  ///< 0: not given
  bool overlay = false, json = false;
  // bench
  std::string output;
  int samples = 0;
};

/// Reads the command line. Help and version print to stdout and return an exit code; else nothing is returned and
/// `options` is filled. Throws UsageError with the nearest option.
std::optional<ExitCode> read_options(int count, char** words, Options& options);

}  // namespace warploom
