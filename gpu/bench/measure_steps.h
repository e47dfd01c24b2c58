#pragma once
#include <map>
#include <string>
#include <vector>

#include "gpu/bench/measure.h"

namespace warploom::bench {

/// Samples of every stage of a step, by its name: "bins.gather", "bins.total".
using StageSamples = std::map<std::string, Samples>;

/// Measures as `measure` does, each sample by the stopwatch of the stages: whole steps, their parts and their gaps.
/// `whole`: the stage that decides how short a step is, and that a wrong result is told as.
std::vector<StageSamples> measure_steps(Bench& bench, const std::vector<Contestant>& contestants,
                                        const std::string& whole);

}  // namespace warploom::bench
