#pragma once
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/bench/track_bench.h"
#include "gpu/scenes/simplex/simplex.h"

namespace warploom::bench {

/// One point of a curve.
struct SimplexCase {
  SimplexSettings settings;
  std::uint64_t seed = 0;
  std::string layout;  ///< of the shape, where threads serve several cells
  Expected expected;

  const SimplexWork& work() const { return find_simplex_work(*settings.kind, settings.work); }
  double cells() const { return simplex_number_real(settings.kind->dimensions, settings.n); }
  double box() const { return std::pow(settings.n, settings.kind->dimensions); }  ///< places of the box around
  std::string text() const;  ///< "tetrahedron/single_write/1024/rho8"
};

/// A case with fresh random data.
SimplexCase make_simplex_case(Bench& bench, const std::string& kind, std::uint32_t n, std::uint32_t rho,
                              const std::string& work);

/// Canonical names of the exact tracks of a layout, the bounding box first.
std::vector<std::string> exact_tracks(int dimensions, const std::string& layout);

/// The result by a closed form; without one, what the bounding box and a map of roots agree upon.
Expected expect(Bench& bench, const SimplexCase& c);

/// Checks the track's step on a few blocks per side, cell by cell, against serial code in double that shares nothing
/// with maps, layouts and works. Sides are no power of two, and no multiple of the block.
bool agrees_with_serial(Bench& bench, const SimplexCase& c, const std::string& track);

/// A track to be timed, poisoned by a fresh start; wrong where it does not agree with serial code.
Contestant simplex_contestant(Bench& bench, const SimplexCase& c, const std::string& track);

}  // namespace warploom::bench
