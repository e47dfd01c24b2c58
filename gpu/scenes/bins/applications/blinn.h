#pragma once
#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/kernels/application.h"

namespace warploom {

/// Blobs around atoms, whose sum has the molecule's surface where it is 1. Source: blinn1982blobs, obeid2010binning.
struct Blinn {
  static constexpr BinApplicationInfo info{.key = "blinn",
                                           .title = "Blobs",
                                           .description = "densities of atoms, summed; the surface is where they are 1",
                                           .citation = "blinn1982blobs",
                                           .width = 4,
                                           .components = 1,
                                           .periodic = false,
                                           .fourth = "radius",
                                           .surface = 1,
                                           .output = "sum"};
  static constexpr double least_term = 1e-3;

  float beta, square_reach_of_one;

  Blinn(const BinSettings& settings, const BinSpace&)
      : beta(static_cast<float>(settings.blobbiness)),
        square_reach_of_one(static_cast<float>(1 + std::log(1 / least_term) / settings.blobbiness)) {}

  static constexpr ElementFiles files{"demo, small, large, random", {3, 4, 0}, true, false, 1.7, true};

  static std::optional<BinInput> recipe(const BinSettings& settings) {
    if (settings.input == "small") return bundle_in_a_box();
    if (settings.input == "large") return large_bundle();
    if (settings.input == "random") return random_atoms(settings.seed);
    constexpr Recipe sizes{1200, 1739, 26318};
    const auto count = sizes.count(settings.input);
    if (!count) return std::nullopt;
    return bundle(*count);
  }

  static BinSpace space(const BinSettings& settings, const BinInput& input) {
    double largest = 0;
    for (std::uint64_t i = 0; i < input.count(); ++i)
      largest = std::max(largest, static_cast<double>(input.elements[4 * i + 3]));
    const double cutoff = largest * std::sqrt(1 + std::log(1 / least_term) / settings.blobbiness);
    const double spacing = settings.spacing > 0 ? settings.spacing : input.spacing.value_or(.75),
                 side = settings.bin > 0 ? settings.bin : spacing;
    const Bounds bounds = bounds_of(input);
    std::array<double, 3> origin, points, bin_origin, bins;
    // A recipe's own box holds for its own spacing.
    const bool boxed = input.points && input.origin && spacing == *input.spacing;
    for (std::size_t a = 0; a < 3; ++a) {
      origin[a] = boxed ? (*input.origin)[a] : bounds.low[a] - cutoff;
      points[a] = boxed ? (*input.points)[a] : std::floor((bounds.high[a] - bounds.low[a] + 2 * cutoff) / spacing) + 1;
      bin_origin[a] = origin[a] - side / 2;
      bins[a] = std::floor(((points[a] - 1) * spacing + side / 2) / side) + 1;
    }
    // The lattice first: where it is too large the spacing is told, which bins follow.
    const Lattice lattice = make_lattice(origin, spacing, points);
    BinSpace space{make_bin_grid(bin_origin, {side, side, side}, bins), lattice};
    set_cutoff(space, cutoff);
    return space;
  }

  WARPLOOM_HD float square_reach(const float* atom) const { return atom[3] * atom[3] * square_reach_of_one; }
  WARPLOOM_HD void add(const float* atom, const Offset& to, float* sums, float* sizes) const {
    const float term = expf(beta * (1 - to.square / (atom[3] * atom[3])));
    sums[0] += term;
    sizes[0] += term;
  }
};

}  // namespace warploom
