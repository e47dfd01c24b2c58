#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/scenes/irregular/hash/functions.h"

namespace warploom {

/// A bucket of two_level as it is built, phase by phase, on the host: pictures and curves tell by it.
struct LevelTwoTrace {
  static constexpr std::size_t slots = 576;
  /// Word of each slot: the phase that wrote it, from 1, above the key; 0: empty.
  using Words = std::array<std::uint64_t, slots>;
  std::vector<Words> phases;  ///< after each, where they are kept
  unsigned rounds = 0;        ///< 0: not built
};

/// Builds a bucket of these keys, of which equal ones count as one, by three functions.
LevelTwoTrace trace_level_two(std::span<const std::uint32_t> keys, std::span<const HashFunction, 3> functions,
                              bool keeps);

}  // namespace warploom
