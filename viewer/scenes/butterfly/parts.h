#pragma once
#include "viewer/model/scene_parts.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& butterfly_parts();

}  // namespace warploom
