#pragma once
#include <memory>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

/// Rule 90 on a row of cells, under two maps.
std::unique_ptr<Scene> make_row_scene();
/// ... as the only scene of a window.
std::vector<std::unique_ptr<Scene>> row_alone();

}  // namespace warploom
