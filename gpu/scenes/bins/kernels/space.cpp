#include "gpu/scenes/bins/kernels/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"

namespace warploom {

namespace {

Index3 whole_counts(const std::array<double, 3>& counts, const char* what, const char* smaller) {
  for (const double count : counts)
    if (!(count >= 1 && count <= most_on_an_axis))
      throw UsageError(fmt::format("{:.0f} x {:.0f} x {:.0f} {}: at most {} along an axis; {}", counts[0], counts[1],
                                   counts[2], what, most_on_an_axis, smaller));
  if (counts[0] * counts[1] * counts[2] > static_cast<double>(most_bins))
    throw UsageError(
        fmt::format("{:.0f} x {:.0f} x {:.0f} {}: at most 2^31; {}", counts[0], counts[1], counts[2], what, smaller));
  return {static_cast<std::uint32_t>(counts[0]), static_cast<std::uint32_t>(counts[1]),
          static_cast<std::uint32_t>(counts[2])};
}

Float3 rounded(const std::array<double, 3>& values) {
  return {{static_cast<float>(values[0]), static_cast<float>(values[1]), static_cast<float>(values[2])}};
}

}  // namespace

Bounds bounds_of(const BinInput& input) {
  Bounds all{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (std::uint64_t i = 0; i < input.count(); ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      const double p = static_cast<double>(input.elements[i * input.width + a]);
      all.low[a] = std::min(all.low[a], p);
      all.high[a] = std::max(all.high[a], p);
    }
  return all;
}

BinGrid make_bin_grid(const std::array<double, 3>& origin, const std::array<double, 3>& side,
                      const std::array<double, 3>& bins) {
  BinGrid grid;
  grid.bins = whole_counts(bins, "bins", "choose a larger 'bin'");
  grid.origin = rounded(origin);
  grid.side = rounded(side);
  for (int a = 0; a < 3; ++a) grid.per_side[a] = 1 / grid.side[a];
  return grid;
}

Lattice make_lattice(const std::array<double, 3>& origin, double spacing, const std::array<double, 3>& points) {
  Lattice lattice;
  lattice.points = whole_counts(points, "output points", "choose a larger 'spacing'");
  lattice.origin = rounded(origin);
  lattice.spacing = static_cast<float>(spacing);
  return lattice;
}

void set_cutoff(BinSpace& space, double cutoff) {
  space.cutoff = static_cast<float>(cutoff);
  const double side = std::max({static_cast<double>(space.grid.side[0]), static_cast<double>(space.grid.side[1]),
                                static_cast<double>(space.grid.side[2])});
  space.margin = static_cast<float>(cutoff + side / 1024);
}

}  // namespace warploom
