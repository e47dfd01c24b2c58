#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// The roots of the simplex maps alone: many block numbers a thread, next to no memory. Every one with the formula in
/// double precision as its peer.
std::vector<Figure> root_figures(Bench& bench);

/// A linear fill of so many bytes, by the fastest way there is here: what a write can be at best.
struct LinearFill {
  Contestant contestant;
  std::string how;  ///< which way that is
  /// Bytes of memory it holds: larger fills pass over them again, far past what a cache could keep.
  static std::uint64_t held_bytes(std::uint64_t bytes);
};
LinearFill linear_fill(Bench& bench, std::uint64_t bytes);

}  // namespace warploom::bench
