#pragma once
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gpu/bench/bench.h"

namespace warploom::bench {

/// What does not apply, and what a wrong result has for a time.
inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One measured figure. A wrong result has no time: `verified` is false and the numbers are NaN. A figure of no samples
/// that is verified was left out on purpose, and its note says why.
struct Figure {
  std::string suite, name, unit;
  double median = none, low = none, high = none;  ///< in `unit`; low and high are the 5th and 95th percentile
  std::size_t samples = 0;
  double share_of_ceiling = none;
  std::string ceiling;          ///< which one
  std::string peer;             ///< the other side of the ratio
  double ratio_to_peer = none;  ///< the peer's time over this one's, median of pairs: above 1 this one is faster
  double ratio_low = none, ratio_high = none;  ///< bootstrap 95 % interval [efron1979bootstrap]
  bool verified = false;
  std::string note;
  std::vector<std::pair<std::string, std::string>> parameters;
};

/// Figures that belong together.
struct Suite {
  const char* key;
  const char* description;
  std::vector<Figure> (*run)(Bench&);
};

/// Every suite, in the order they run.
const std::vector<Suite>& all_suites();

/// Kernels and copies that say what the machine can do.
std::vector<Figure> run_ceilings(Bench& bench);
/// Every track on fractals: whole curves against the bounding box.
std::vector<Figure> run_fractal(Bench& bench);
/// Maps of triangles and tetrahedra: roots, writes, stencil layouts, triples, and what maps cost alone.
std::vector<Figure> run_simplex(Bench& bench);

}  // namespace warploom::bench
