#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/fractal/works/tile_neighbours.h"

namespace warploom {

/// (tiles, directions): who is beside each tile of a state. Throws Error for more tiles than have numbers.
Buffer<TileBeside> tiles_beside(Queue& queue, const FractalDomain& domain, const SlicedShape& shape);

}  // namespace warploom
