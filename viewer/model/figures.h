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

/// What a track does against the baseline, in sentences. Both are empty of the baseline itself.
struct VerdictWords {
  std::string does;   ///< what it alone tells (Compared), else the threads by count; empty: nothing was counted
  std::string takes;  ///< its time; empty: there is no ratio to show
  std::string brief;  ///< the same, without the reason
};
/// `on_cpu`: times are those of the CPU engine, and said to be.
VerdictWords verdict_of(const Simulation& simulation, std::size_t track, std::size_t baseline,
                        const std::optional<Ratio>& ratio, bool on_cpu = false);
/// The same in one sentence.
std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio, bool on_cpu = false);

/// What is to be known of times over several devices: "POOLS FOR DEVICES", "LINK THROUGH HOST". Any thread.
std::vector<std::string> device_badges(const Simulation& simulation);

/// What spoils times on this machine: "CPU ENGINE", "STAGED COPY", "V-SYNC".
std::vector<std::string> machine_badges(Model& model);

/// What is shown, in human words, never empty: of the tracks on the screen.
std::string caption_text(Scene& scene);

/// Significant figures that a median carries, 2 to 4: down to the first that its interval leaves open. Of less than 10
/// samples: 2.
int figures_of(const Summary& time);

/// What was measured, a line a track: its name, kernel, median with P5 and P95, samples, GB/s, the ratio to the
/// baseline with its interval; then the verdicts. A ratio is withheld where it has no meaning.
std::vector<std::string> figures_text(const Simulation& simulation, std::size_t baseline, bool on_cpu = false);

/// The same, after a line with the device, the scene and the parameters that they are of. Empty where nothing is built.
std::string figures_with_origin(Model& model);

}  // namespace warploom
