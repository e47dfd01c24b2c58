#include "gpu/tracks/fractal/tile_stepper.h"

namespace warploom::detail {

std::unique_ptr<SlicedStepper> make_single_stepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                                                   const Rule& rule) {
  return make_open_stepper_of<1, 1>(queue, domain, shape, rule);
}

}  // namespace warploom::detail
