#pragma once
#include <optional>
#include <string>

#include "gpu/tracks/simulation.h"

namespace warploom {

/// What a track does against the baseline, in one sentence: threads by count, time where there is a ratio to show.
std::string verdict_text(const Simulation& simulation, std::size_t track, const std::optional<Ratio>& ratio);

}  // namespace warploom
