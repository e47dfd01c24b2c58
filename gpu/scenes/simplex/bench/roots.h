#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// The roots of the simplex maps alone: many block numbers a thread, next to no memory. Every one with the formula in
/// double precision as its peer.
std::vector<Figure> root_figures(Bench& bench);

/// What memory alone takes: a fill or a copy, by the fastest way there is here.
struct MemoryLine {
  Contestant contestant;
  std::string how;   ///< which way that is
  std::string what;  ///< "fill", "copy"
  /// Bytes of memory that a fill holds: larger ones pass over them again, far past what a cache could keep. A copy
  /// holds them twice.
  static std::uint64_t held_bytes(std::uint64_t bytes);
};
/// So many bytes written: what a write can be at best.
MemoryLine linear_fill(Bench& bench, std::uint64_t bytes);
/// So many bytes read, and as many written elsewhere: what a step from a state to the next can be at best.
MemoryLine linear_copy(Bench& bench, std::uint64_t bytes);

}  // namespace warploom::bench
