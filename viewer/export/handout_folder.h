#pragma once
#include <string>

#include "viewer/export/written_folder.h"

namespace warploom {

/// The folder of a handout: a new one, or that of an earlier one.
FolderWish handout_wish(const std::string& folder);
/// Throws FileError before any work where it could not be written. Empty: none is wanted.
void check_handout_name(const std::string& folder);

}  // namespace warploom
