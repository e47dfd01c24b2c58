#pragma once
#include <filesystem>
#include <vector>

#include "gpu/scenes/fractal/maps/mask.h"

namespace warploom {

/// Reads `name`, `rows`, and optionally `source` and `status` of a TOML file. Throws FileError with file, line, key and
/// what was expected.
Mask read_mask(const std::filesystem::path& file);

/// Every mask of a folder, by key. Throws FileError for a malformed one.
std::vector<Mask> read_masks(const std::filesystem::path& folder);

/// Every mask of the folders `fractals` within these, by key: of two with the same key the later folder's counts. Those
/// after the first need not be there. Throws FileError as read_masks does.
std::vector<Mask> read_masks_within(const std::vector<std::filesystem::path>& folders);

}  // namespace warploom
