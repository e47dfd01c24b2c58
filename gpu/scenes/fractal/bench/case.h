#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/bench/bench.h"
#include "gpu/bench/measure.h"
#include "gpu/scenes/fractal/fractal.h"

namespace warploom::bench {

/// The right result of one step from a random state.
struct FractalExpected {
  std::optional<std::uint64_t> hash, sum;  ///< the state's seal
  std::optional<std::uint64_t> fold;       ///< of works that fold
  std::string source;                      ///< where it comes from
};

/// One point of a curve: a fractal, a level and a work.
struct FractalCase {
  FractalSettings settings;  ///< but for block_digits
  std::uint64_t seed = 0;
  double density = .5;
  std::uint64_t bytes_per_cell = 0;  ///< fewest the work must move for a cell
  bool folds = false;
  FractalExpected expected;

  double side_x() const;
  double side_y() const;
  double cells() const;
  std::string text() const;  ///< "sierpinski_gasket/16/life"
};

/// Serial code that shares nothing with maps and works, up to this many places of the box.
inline constexpr double largest_oracle = 1 << 22;

/// Result by serial code, or by a closed form where there is one; for large states, of the track `reference` with its
/// default block. Throws what making that track throws.
FractalExpected expect(Bench& bench, const FractalCase& c, const std::string& reference);

/// A track as something to be timed: poisoned by a fresh start, one step a run. Keeps the track.
Contestant fractal_contestant(Bench& bench, const FractalCase& c, const std::string& track, int block_digits);

/// A track at the block it is fastest with.
struct BestBlock {
  int digits = -1;  ///< -1: none serves
  double milliseconds = 0;
  std::string note;  ///< every block tried, and those left out with the reason
};

/// Tries the legal blocks of 4 threads and more.
BestBlock find_best_block(Bench& bench, const FractalCase& c, const std::string& track);

}  // namespace warploom::bench
