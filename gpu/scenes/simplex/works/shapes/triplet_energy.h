#pragma once
#include "gpu/scenes/simplex/works/triplet_energy.h"
#include "gpu/scenes/simplex/works/triplet_tiles.h"

namespace warploom {

template <>
struct WorkShapes<TripletEnergy> {
  template <int Dimensions>
  using Shapes =
      TypeList<Linear<3, 8, 1, 2, 8>, Linear<3, 16, 2, 4, 16>, Linear<3, 32, 4, 4, 32>, Linear<3, 64, 4, 4, 64>>;
  template <class Shape>
  using Boxes = TripletTiles<Shape, TripletEnergy>;
};

}  // namespace warploom
