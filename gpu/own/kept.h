#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace warploom {

/// Compiled own maps that are kept from run to run: $XDG_CACHE_HOME/warploom/own, by default ~/.cache/warploom/own;
/// where that cannot be made, a folder of the user's in that of temporary files. At most 256 MiB; those that were used
/// longest ago go first. Several programs may use it at once: a file is there as a whole or not at all.
std::filesystem::path kept_folder();

/// The file of a name there, if it is as it was written; it counts as used now. Empty: it is not there, was cut short
/// or was changed; then it is gone.
std::filesystem::path find_kept(const std::string& name);
/// Takes a file in under a name: adds the checksum that find_kept looks at, and renames it. Returns where it is. Throws
/// FileError.
std::filesystem::path keep(const std::filesystem::path& made, const std::string& name);

}  // namespace warploom
