#pragma once
#include "gpu/works/simplex/work.h"

namespace warploom {

/// The map alone: every cell is folded into one word, the sum of its key modulo 2^64, and no state is touched.
struct SimplexMapOnly {
  static constexpr SimplexWorkInfo info{.key = "map_only",
                                        .title = "Map only",
                                        .description = "maps, and folds every cell into one word",
                                        .citation = "navarro2016tetrahedra",
                                        .more_points = no_points};
  template <int>
  using Value = std::uint8_t;

  template <int Dimensions, class Storage>
  struct At {
    explicit At(const SimplexArguments<Dimensions, Storage>&) {}
    WARPLOOM_HD std::uint64_t operator()(const Spot& spot) const { return cell_key<Dimensions>(spot.cell); }
  };
};

}  // namespace warploom
