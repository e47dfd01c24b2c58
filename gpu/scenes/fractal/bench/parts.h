#pragma once
#include <vector>

#include "gpu/bench/suites.h"
#include "gpu/scenes/fractal/maps/mask.h"

// Parts of the suite of fractals that measure no tracks.
namespace warploom::bench {

/// lambda alone, next to no memory: how many a second a loop, the table, a warp's shuffles and products on tensor cores
/// give, each in the form it is quickest in. The table is the peer of all others.
std::vector<Figure> lambda_figures(Bench& bench, const Mask& mask);

/// One step of a sliced automaton in every way there is, its seal, and a copy of as many bytes: paired, in one run.
/// Throws UsageError for a level whose sides a domain cannot have.
std::vector<Figure> sliced_figures(Bench& bench, const Mask& mask, int level);

/// The largest level of which two states take a fifth of what memory is free.
int largest_sliced_level(const Bench& bench, const Mask& mask);

}  // namespace warploom::bench
