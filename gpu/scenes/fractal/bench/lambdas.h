#pragma once
#include <vector>

#include "gpu/bench/suites.h"
#include "gpu/scenes/fractal/maps/mask.h"

namespace warploom::bench {

/// lambda alone, next to no memory: how many a second a loop, the table, a warp's shuffles and products on tensor cores
/// give, each in the form it is quickest in. The table is the peer of all others.
std::vector<Figure> lambda_figures(Bench& bench, const Mask& mask);

}  // namespace warploom::bench
