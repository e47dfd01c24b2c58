#include "gpu/scenes/fractal/works/sliced.h"

#include "gpu/core/launch.h"

namespace warploom {

double Sliced::bytes(const FractalDomain& domain, int /*block_digits*/) {
  return static_cast<double>(SlicedShape(domain).state_chunks()) * sizeof(std::uint32_t);
}

LaunchShape Sliced::assign_shape() const { return row_shape(shape.places()); }

}  // namespace warploom
