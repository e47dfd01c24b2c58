#pragma once
#include <array>
#include <cstdint>

#include "gpu/scenes/bins/kernels/geometry.h"
#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom {

/// Where elements are binned, and outputs lie.
struct BinSpace {
  BinGrid grid;
  Lattice lattice;   ///< of applications whose outputs are one
  float cutoff = 0;  ///< the largest
  float margin = 0;  ///< cutoff + side / 1024: bins are visited so far, so that rounding loses none
};

/// Lowest and highest coordinate along each axis; of the first three floats of each element.
struct Bounds {
  std::array<double, 3> low, high;
};
Bounds bounds_of(const BinInput& input);

inline constexpr std::uint32_t most_on_an_axis = 4096;
inline constexpr std::uint64_t most_bins = 1ull << 31;

/// `bins` boxes of `side` from `origin` on along each axis. Throws UsageError beyond the limits, naming them.
BinGrid make_bin_grid(const std::array<double, 3>& origin, const std::array<double, 3>& side,
                      const std::array<double, 3>& bins);
/// Points spacing apart. Throws UsageError beyond the limits.
Lattice make_lattice(const std::array<double, 3>& origin, double spacing, const std::array<double, 3>& points);
/// Fills cutoff and margin.
void set_cutoff(BinSpace& space, double cutoff);

}  // namespace warploom
