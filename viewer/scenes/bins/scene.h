#pragma once
#include <memory>

#include "viewer/model/scene.h"

namespace warploom {

/// Functions of limited range on elements in bins, under several structures.
std::unique_ptr<Scene> make_bins_scene();

}  // namespace warploom
