#pragma once
#include "gpu/core/error.h"
#include "gpu/scenes/bins/kernels/application.h"

namespace warploom {

/// Cutoff Coulombic potential on a lattice. Source: rodrigues2008cutcp, obeid2010binning.
struct Cutcp : OneCutoff {
  static constexpr BinApplicationInfo info{
      .key = "cutcp",
      .title = "Potential",
      .description = "electrostatic potential of charges within a cutoff, in e/\u00c5",
      .citation = "rodrigues2008cutcp",
      .width = 4,
      .components = 1,
      .periodic = false,
      .fourth = "charge",
      .unit = "e/\u00c5",
      .signed_output = true,
      .surface = .1,
      .no_tile = "an atom reaches 24 outputs each way, and no shared memory holds a tile of so many",
      .output = "potential"};
  static constexpr float excluded_radius = 1;  ///< angstroms: points with an atom so near are set to 0

  Cutcp(const BinSettings&, const BinSpace& space) : OneCutoff(space) {}

  static constexpr ElementFiles files{"demo, small, large", {3, 4, 0}, true, false, 1, false};

  static std::optional<BinInput> recipe(const BinSettings& settings) {
    constexpr Recipe sizes{576, 5943, 570348};
    const auto count = sizes.count(settings.input);
    if (!count) return std::nullopt;
    if (*count < 3) throw UsageError("input " + settings.input + ": a water molecule has three atoms");
    return settings.input == "demo" ? double_helix() : water(*count, settings.seed);
  }

  static BinSpace space(const BinSettings& settings, const BinInput& input) {
    const double cutoff = settings.cutoff > 0 ? settings.cutoff : 12, side = settings.bin > 0 ? settings.bin : 4,
                 spacing = settings.spacing > 0 ? settings.spacing : .5;
    const Bounds bounds = bounds_of(input);
    std::array<double, 3> origin, points, bin_origin, bins;
    const double around = std::ceil(cutoff / side);
    for (std::size_t a = 0; a < 3; ++a) {
      origin[a] = bounds.low[a] - .5;
      points[a] = std::floor((bounds.high[a] - bounds.low[a] + 1) / spacing) + 1;
      bin_origin[a] = origin[a] - around * side;
      bins[a] = std::ceil(8 * std::ceil(points[a] / 8) * spacing / side) + 2 * around;
    }
    BinSpace space{make_bin_grid(bin_origin, {side, side, side}, bins), make_lattice(origin, spacing, points)};
    set_cutoff(space, cutoff);
    return space;
  }

  static constexpr bool ends_in_nothing = true;
  WARPLOOM_HD void add(const float* atom, const Offset& to, float* sums, float* sizes) const {
    const float u = saturated(1 - to.square * per_square),
                term = atom[3] * bare_inverse_square_root(to.square) * (u * u);
    sums[0] += term;  // no number at last, where an atom is too near: there nothing is kept
    sizes[0] += to.square < excluded_radius * excluded_radius ? 0 : fabsf(term);
  }
};

}  // namespace warploom
