#pragma once
#include <filesystem>

#include "viewer/model/model.h"

namespace warploom {

/// Throws UsageError where a track of the simulation cannot be taken home, with the nearest that can.
void check_exported(Scene& scene, const Simulation& simulation);

/// Each track as sources that compile anywhere and prove themselves, with a manifest, into a new folder. They run so
/// many steps as the tracks have gone. Throws FileError; nothing is written then.
void write_exported(const std::filesystem::path& folder, Scene& scene, const Simulation& simulation);

/// The same of what the window shows, beside it. Throws UsageError where the run was changed by hand: no source makes
/// that state.
void take_home_beside(Model& model, const std::string& folder);

}  // namespace warploom
