#pragma once
#include <filesystem>

#include "viewer/model/model.h"

namespace warploom {

/// Throws UsageError where a track of the model's simulation cannot be taken home, with the nearest that can.
void check_exported(Model& model);

/// Each track as sources that compile anywhere and prove themselves, with a manifest, into a new folder. They run so
/// many steps as the tracks have gone. Throws FileError; nothing is written then.
void write_exported(const std::filesystem::path& folder, Model& model);

}  // namespace warploom
