#pragma once
#include "gpu/scenes/simplex/bench/meter.h"

namespace warploom::bench {

/// Threads that serve several cells, and blocks that are launched as one: every exact map in each shape beside the
/// bounding box of the same shape and a fill or copy of as many bytes; then the best of both side by side.
void add_simplex_shapes(SimplexMeter& meter);

}  // namespace warploom::bench
