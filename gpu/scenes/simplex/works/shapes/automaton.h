#pragma once
#include "gpu/scenes/simplex/works/automaton.h"
#include "gpu/scenes/simplex/works/automaton_rows.h"
#include "gpu/scenes/simplex/works/automaton_shares.h"

namespace warploom {

template <>
struct WorkShapes<SimplexAutomaton> {
  template <int Dimensions>
  using Shapes = ByDimension<
      Dimensions,
      TypeList<Blocked<2, 16, 8, 1>, Blocked<2, 32, 16, 2>, Blocked<2, 32, 16, 1>, Blocked<2, 64, 16, 4>,
               Sectors<2, 32, 4, 4>, Sectors<2, 64, 4, 4>, Linear<2, 32, 1, 32>>,
      TypeList<Blocked<3, 8, 8, 2, 1>, Blocked<3, 8, 8, 1, 1>, Blocked<3, 8, 4, 1, 1>, Blocked<3, 16, 16, 1, 4>,
               Blocked<3, 16, 16, 1, 1>, Blocked<3, 16, 16, 1, 2>, Blocked<3, 32, 16, 1, 8>, Blocked<3, 64, 16, 2, 16>,
               Sectors<3, 32, 4, 1, 32>, Sectors<3, 32, 4, 1, 16>, Linear<3, 32, 1, 1, 32>, Linear<3, 16, 1, 1, 16>>>;
  template <class Shape>
  using Boxes = std::conditional_t<Shape::Layout::by_blocks, AutomatonRows<Shape>,
                                   std::conditional_t<Shape::shares, AutomatonShares<Shape>, AutomatonColumns<Shape>>>;
};

}  // namespace warploom
