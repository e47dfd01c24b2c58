#pragma once
#include <memory>

#include "viewer/model/scene.h"

namespace warploom {

/// Cellular automata and elementary works on fractals of non-overlapping boxes, under thread maps.
std::unique_ptr<Scene> make_fractal_scene();

/// The fractals that came with the program and the user's own, in the order of their keys.
std::vector<struct Mask> all_masks();

}  // namespace warploom
