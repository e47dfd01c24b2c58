#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// What view and run are given, as typed. Values are checked where they are used.
struct Options {
  std::vector<std::string> words;     ///< the scene, if any
  std::vector<std::string> commands;  ///< what else the first word could have meant
  std::vector<std::string> set;
  std::string scene_file, preset, backend = "auto", interop = "auto", theme, capture, stats, dump;
  std::optional<std::uint64_t> frames, seed;
  std::uint64_t steps_per_frame = 1, warmup = 0;
  int width = 0, height = 0;  ///< 0: not given
  bool overlay = false;
};

}  // namespace warploom
