#pragma once
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// What steps of an automaton on a sliced state read and write. The bits that no lane has stay 0, also under rules that
/// are born of nothing.
struct SlicedStates {
  const std::uint32_t* in = nullptr;  ///< shape.state_chunks() of each
  std::uint32_t* out = nullptr;
  SlicedShape shape;
  SlicedSteps steps;
};

}  // namespace warploom
