#pragma once
#include <memory>

#include "viewer/model/scene.h"

namespace warploom {

/// Rule 90 on a row of cells, under two maps.
std::unique_ptr<Scene> make_row_scene();

}  // namespace warploom
