#pragma once
#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/kernels/application.h"

namespace warploom {

/// The near part of gravity between bodies in a periodic box, cut off smoothly: the gradient of -G m u^2 / s. Source:
/// obeid2010binning.
struct Nbody : OneCutoff {
  static constexpr BinApplicationInfo info{.key = "nbody",
                                           .title = "Bodies",
                                           .description = "bodies that attract each other within a cutoff, and move",
                                           .citation = "obeid2010binning",
                                           .width = 4,
                                           .components = 3,
                                           .periodic = true,
                                           .fourth = "mass"};
  static constexpr float gravity = .2f, square_softening = .04f;

  Nbody(const BinSettings&, const BinSpace& space) : OneCutoff(space) {}

  static constexpr ElementFiles files{"few, demo, small, large", {3, 4, 7}, true, false, 1, false};

  static std::optional<BinInput> recipe(const BinSettings& settings) {
    if (settings.input == "few") return few_bodies(settings.seed);
    if (settings.input == "small") return clumps(131072, 32, settings.seed);
    if (settings.input == "large") return clumps(1u << 20, 64, settings.seed);
    constexpr Recipe sizes{16384, 131072, 1u << 20};
    const auto count = sizes.count(settings.input);
    if (!count) return std::nullopt;
    return web(*count, settings.seed);
  }

  static double cutoff_of(const BinSettings& settings) { return settings.cutoff > 0 ? settings.cutoff : 1; }

  /// Bodies from a file: at rest where it has no velocities, in whole cutoffs around them, with room.
  static void complete(const BinSettings& settings, BinInput& bodies) {
    if (bodies.velocities.empty()) bodies.velocities.assign(3 * bodies.count(), 0.f);
    const double cutoff = cutoff_of(settings);
    const Bounds bounds = bounds_of(bodies);
    std::array<double, 3> origin, box;
    for (std::size_t a = 0; a < 3; ++a) {
      const double first = std::floor(bounds.low[a] / cutoff), last = std::floor(bounds.high[a] / cutoff);
      origin[a] = cutoff * (first - 1);
      box[a] = cutoff * (last - first + 3);
    }
    bodies.origin = origin;
    bodies.box = box;
  }

  static BinSpace space(const BinSettings& settings, const BinInput& input) {
    const double cutoff = cutoff_of(settings), wish = settings.bin > 0 ? settings.bin : 1;
    std::array<double, 3> bins, side;
    for (std::size_t a = 0; a < 3; ++a) {
      const double length = (*input.box)[a];
      if (length < 2 * cutoff)
        throw UsageError("cutoff " + std::to_string(cutoff) + ": at most half the box, which is " +
                         std::to_string(length) + " long");
      bins[a] = std::max(1., std::floor(length / wish));
      side[a] = length / bins[a];
    }
    BinSpace space{make_bin_grid(*input.origin, side, bins), {}};
    space.grid.periodic = true;
    for (std::size_t a = 0; a < 3; ++a) space.grid.length[static_cast<int>(a)] = static_cast<float>((*input.box)[a]);
    set_cutoff(space, cutoff);
    return space;
  }

  WARPLOOM_HD void add(const float* body, const Offset& to, float* sums, float* sizes) const {
    const float s2 = to.square + square_softening, per_s = bare_inverse_square_root(s2), per_s3 = per_s * per_s * per_s;
    const float u = 1 - to.square * per_square;
    const float pull = gravity * body[3] * (u * u * per_s3 + 4 * u * per_s * per_square);
    const float terms[] = {pull * to.x, pull * to.y, pull * to.z};
    for (int a = 0; a < 3; ++a) {
      sums[a] += terms[a];
      sizes[a] += fabsf(terms[a]);
    }
  }
};

}  // namespace warploom
