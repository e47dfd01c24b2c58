#pragma once
#include <functional>
#include <string>
#include <vector>

#include "gpu/scenes/simplex/bench/meter.h"

namespace warploom::bench {

/// Threads that serve several cells, and blocks that are launched as one: every exact map in each shape beside the
/// bounding box of the same shape and a fill or copy of as many bytes; then the best of both side by side.
struct SimplexShapePart {
  std::string name;
  std::function<void(SimplexMeter&)> run;
};
std::vector<SimplexShapePart> simplex_shape_parts(const Bench& bench);

}  // namespace warploom::bench
