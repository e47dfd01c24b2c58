#pragma once
#include <optional>
#include <string>
#include <vector>

#include "viewer/panels/panels.h"

namespace warploom {

/// What a track does against the baseline, in one sentence: threads by count, time where there is a ratio to show.
/// Empty of the baseline itself.
std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio);

/// Those of all tracks, as they are shown and copied.
std::vector<std::string> verdicts(const PanelContext& panel);

}  // namespace warploom
