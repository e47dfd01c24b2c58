#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace warploom {

/// The folder that holds `shaders` and `assets`: share/warploom beside the program's bin folder where it is installed,
/// else the source tree it was built from. Throws FileError if neither is there.
std::filesystem::path data_folder();

/// Settings of the user: $XDG_CONFIG_HOME/warploom, by default ~/.config/warploom. It may not exist yet.
std::filesystem::path config_folder();

/// What one run leaves for the next: $XDG_STATE_HOME/warploom, by default ~/.local/state/warploom. It may not exist
/// yet.
std::filesystem::path state_folder();

/// Makes a folder and those above it; does nothing where it exists. Throws FileError.
void make_folder(const std::filesystem::path& folder);

/// The whole file. Throws FileError with the reason.
std::string read_file(const std::filesystem::path& path);

/// Whether `write_atomically` could write it now: before work that takes minutes. Throws FileError with the reason.
void check_can_write(const std::filesystem::path& path);

/// Writes a file as a whole or not at all: into a temporary file in the same folder, renamed at the end. Devices and
/// pipes (/dev/stdout) are written directly. The folder must exist. Throws FileError with the reason.
void write_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warploom
