#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// The roots of the simplex maps alone: many block numbers per thread, next to no memory. Their peer is the formula in
/// double precision.
std::vector<Figure> root_figures(Bench& bench);

/// The time of memory alone: a fill or a copy, in the fastest way.
struct MemoryLine {
  Contestant contestant;
  std::string how;   ///< which way that is
  std::string what;  ///< "fill", "copy"
  /// Bytes of memory that a fill holds; larger fills pass over them again, far past any cache. A copy holds them twice.
  static std::uint64_t held_bytes(std::uint64_t bytes);
};
/// Writes so many bytes: the best that a write can be.
MemoryLine linear_fill(Bench& bench, std::uint64_t bytes);
/// Reads so many bytes and writes them elsewhere: the best that a step from a state to the next can be.
MemoryLine linear_copy(Bench& bench, std::uint64_t bytes);

}  // namespace warploom::bench
