#pragma once
#include <memory>

#include "viewer/model/scene.h"

namespace warploom {

/// Works on triangles and tetrahedra, under thread maps and memory layouts.
std::unique_ptr<Scene> make_simplex_scene();

}  // namespace warploom
