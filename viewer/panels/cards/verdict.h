#pragma once
#include <string>
#include <vector>

#include "viewer/panels/panels.h"

namespace warploom {

/// The verdicts of all tracks, as they are shown.
std::vector<std::string> verdicts(const PanelContext& panel);

}  // namespace warploom
