#pragma once
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// The number one to every cell: what placing threads costs when they do next to nothing.
struct SimplexSingleWrite {
  static constexpr SimplexWorkInfo info{.key = "single_write",
                                        .title = "Single write",
                                        .description = "the number one to every cell, 4 bytes",
                                        .citation = "navarro2016tetrahedra",
                                        .more_points = no_points,
                                        .bytes_per_cell = 4,
                                        .under_inexact_maps = true};
  template <int>
  using Value = std::uint32_t;

  static SerialValue serial(const SerialSpot&) { return {1, 1}; }
  /// Ones over zeros: the number of cells only if all are written.
  static std::uint64_t total(int dimensions, std::uint64_t n) {
    const std::uint64_t pairs = n * (n + 1) / 2;
    return dimensions == 2 ? pairs : pairs * (n + 2) / 3;
  }

  template <int Dimensions, class Storage>
  struct At {
    Storage out;
    explicit At(const SimplexArguments<Dimensions, Storage>& with) : out(with.out) {}
    WARPLOOM_HD void operator()(const Spot& spot) const { out.store(spot.address, 1); }
  };
};

}  // namespace warploom
