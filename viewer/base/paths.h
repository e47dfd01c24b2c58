#pragma once
#include <filesystem>

namespace warploom {

/// The folder that holds `shaders` and `assets`: share/warploom beside the program's bin folder where it is installed,
/// else the source tree it was built from. Throws FileError if neither is there.
std::filesystem::path data_folder();

/// Settings of the user: $XDG_CONFIG_HOME/warploom, by default ~/.config/warploom. It may not exist yet.
std::filesystem::path config_folder();

/// What one run leaves for the next: $XDG_STATE_HOME/warploom, by default ~/.local/state/warploom. It may not exist
/// yet.
std::filesystem::path state_folder();

/// Where the user keeps pictures: XDG_PICTURES_DIR of user-dirs.dirs, ~/Pictures, or the home folder, the first that is
/// there; without a home the current folder.
std::filesystem::path pictures_folder();

}  // namespace warploom
