#pragma once
#include "gpu/scenes/simplex/works/stencil.h"
#include "gpu/scenes/simplex/works/stencil_columns.h"
#include "gpu/scenes/simplex/works/stencil_planes.h"

namespace warploom {

template <>
struct WorkShapes<SimplexStencil> {
  template <int Dimensions>
  using Shapes = ByDimension<
      Dimensions, TypeList<Blocked<2, 16, 4, 2>, Blocked<2, 32, 4, 8>, Blocked<2, 64, 4, 16>, Linear<2, 32, 1, 32>>,
      TypeList<Blocked<3, 8, 4, 1, 4>, Blocked<3, 16, 4, 1, 16>, Blocked<3, 32, 4, 1, 32>, Linear<3, 32, 1, 2, 32>>>;
  template <class Shape>
  using Boxes = std::conditional_t<!Shape::Layout::by_blocks, StencilColumns<Shape>,
                                   ByDimension<Shape::dimensions, StencilRows<Shape>, StencilPlanes<Shape>>>;
};

}  // namespace warploom
