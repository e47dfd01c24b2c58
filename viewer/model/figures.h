#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gpu/tracks/simulation.h"
#include "viewer/model/model.h"

namespace warploom {

/// "A" to "D"
std::string track_letter(std::size_t track);

/// What a track does against the baseline, in one sentence: what it is compared by, or threads by count; time where
/// there is a ratio to show.
/// Empty of the baseline itself.
std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio);

/// What was measured, a line a track: its name, kernel, median with P5 and P95, samples, GB/s, the ratio to the
/// baseline with its interval; then the verdicts. A ratio is withheld where it has no meaning.
std::vector<std::string> figures_text(const Simulation& simulation, std::size_t baseline);

/// The same, after a line with the device, the scene and the parameters that they are of. Empty where nothing is built.
std::string figures_with_origin(Model& model);

}  // namespace warploom
