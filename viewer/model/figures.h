#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gpu/tracks/simulation.h"
#include "viewer/model/model.h"

namespace warploom {

/// "A" to "D"
inline std::string track_letter(const Simulation& simulation, std::size_t track) {
  return std::string(1, simulation.letter(track));
}

/// What a track does against the baseline, in one sentence: what it is compared by, or threads by count; time where
/// there is a ratio to show.
/// Empty of the baseline itself.
std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio);

/// Significant figures that a median carries, 2 to 4: down to the first that its interval leaves open. Of less than 10
/// samples: 2.
int figures_of(const Summary& time);

/// What was measured, a line a track: its name, kernel, median with P5 and P95, samples, GB/s, the ratio to the
/// baseline with its interval; then the verdicts. A ratio is withheld where it has no meaning.
std::vector<std::string> figures_text(const Simulation& simulation, std::size_t baseline);

/// The same, after a line with the device, the scene and the parameters that they are of. Empty where nothing is built.
std::string figures_with_origin(Model& model);

}  // namespace warploom
