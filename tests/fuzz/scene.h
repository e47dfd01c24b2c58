#pragma once
#include <memory>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

/// One scene that has every kind of parameter and every section of a scene text, and no kernels.
std::vector<std::unique_ptr<Scene>> fuzz_scenes();

}  // namespace warploom
