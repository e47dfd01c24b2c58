#pragma once
#include <cstdint>
#include <string>

#include "gpu/bench/track_bench.h"
#include "gpu/scenes/fractal/fractal.h"

namespace warploom::bench {

/// One point of a curve: a fractal, a level and a work.
struct FractalCase {
  FractalSettings settings;  ///< but for block_digits
  std::uint64_t seed = 0;
  double density = .5;
  std::uint64_t bytes_per_cell = 0;  ///< fewest the work must move for a cell
  bool folds = false;
  Expected expected;

  double side_x() const;
  double side_y() const;
  double cells() const;
  double box_bytes() const { return 2 * side_x() * side_y(); }  ///< of both states of the bounding box
  std::string text() const;                                     ///< "sierpinski_gasket/16/life"
};

/// Of a work by its key, with a fresh seed; nothing is expected yet.
FractalCase fractal_case(Bench& bench, const Mask& mask, int level, const std::string& work);

/// Serial code that shares nothing with maps and works, up to this many places of the box.
inline constexpr double largest_oracle = 1 << 22;

/// Result by serial code, or by a closed form where there is one; for large states, of the track `reference` with its
/// default block. Throws what making that track throws.
Expected expect(Bench& bench, const FractalCase& c, const std::string& reference);

/// A track of a case, by its name and the digits of its block.
std::shared_ptr<Track> make_track(Bench& bench, const FractalCase& c, const std::string& track, int block_digits);

/// ... to be timed, poisoned by a fresh start. The case must outlive it.
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
