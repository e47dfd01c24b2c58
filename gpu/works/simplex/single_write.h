#pragma once
#include "gpu/works/simplex/work.h"

namespace warploom {

/// The number one to every cell: what placing threads costs when they do next to nothing.
struct SimplexSingleWrite {
  static constexpr SimplexWorkInfo info{.key = "single_write",
                                        .title = "Single write",
                                        .description = "the number one to every cell, 4 bytes",
                                        .citation = "navarro2016tetrahedra",
                                        .more_points = no_points,
                                        .bytes_per_cell = 4};
  template <int>
  using Value = std::uint32_t;

  template <int Dimensions, class Storage>
  struct At {
    Storage out;
    explicit At(const SimplexArguments<Dimensions, Storage>& with) : out(with.out) {}
    WARPLOOM_HD void operator()(const Spot& spot) const { out.store(spot.address, 1); }
  };
};

}  // namespace warploom
