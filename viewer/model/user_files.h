#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

/// What lies in the user's own folders and cannot be read, masks of fractals, presets: left out, with the reason, a
/// line each.
std::vector<std::string> files_left_out(const std::vector<std::unique_ptr<Scene>>& scenes);

/// A name for a picture, of now: in `folder`, or where that is empty or gone in the user's folder of pictures. No file
/// has it yet.
std::filesystem::path new_picture(const std::filesystem::path& folder);

}  // namespace warploom
