#pragma once
#include <memory>

#include "viewer/model/scene.h"

namespace warploom {

/// Networks of operators on rows of a signal, stage by stage.
std::unique_ptr<Scene> make_butterfly_scene();

}  // namespace warploom
