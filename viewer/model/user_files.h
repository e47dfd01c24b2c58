#pragma once
#include <memory>
#include <string>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

/// What lies in the user's own folders and cannot be read, masks of fractals, presets: left out, with the reason, a
/// line each.
std::vector<std::string> files_left_out(const std::vector<std::unique_ptr<Scene>>& scenes);

}  // namespace warploom
