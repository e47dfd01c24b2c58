#pragma once
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// The map alone: folds every cell into one word, the sum of the keys modulo 2^64, and touches no state.
struct SimplexMapOnly {
  static constexpr SimplexWorkInfo info{.key = "map_only",
                                        .title = "Map only",
                                        .description = "maps, and folds every cell into one word",
                                        .citation = "navarro2016tetrahedra",
                                        .more_points = no_points,
                                        .under_inexact_maps = true};
  template <int>
  using Value = std::uint8_t;

  static std::uint64_t serial(const SerialSpot& spot) { return spot.key; }
  /// The sum of x over x <= y (<= z) < n is the binomial of n + 1 over 3, or of n + 2 over 4; reflected, the largest
  /// coordinate is the smallest, the middle one itself. No product below passes 64 bits for sides below 2^16.
  static std::uint64_t total(int dimensions, std::uint64_t n) {
    const std::uint64_t pairs = n * (n + 1) / 2;
    if (dimensions == 2) {
      const std::uint64_t x = pairs * (n - 1) / 3, y = pairs * (n - 1) - x;
      return x + (y << 32);
    }
    const std::uint64_t triples = pairs * (n + 2) / 3, x = triples * (n - 1) / 4, y = triples * (n - 1) / 2,
                        z = triples * (n - 1) - x;
    return x + (y << 21) + (z << 42);
  }

  template <int Dimensions, class Storage>
  struct At {
    explicit At(const SimplexArguments<Dimensions, Storage>&) {}
    WARPLOOM_HD std::uint64_t operator()(const Spot& spot) const { return cell_key<Dimensions>(spot.cell); }
  };
};

}  // namespace warploom
