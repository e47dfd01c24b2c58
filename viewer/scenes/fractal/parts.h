#pragma once
#include "viewer/model/scene_parts.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& fractal_parts();

}  // namespace warploom
