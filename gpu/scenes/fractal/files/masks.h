#pragma once
#include <filesystem>
#include <vector>

#include "gpu/scenes/fractal/maps/mask.h"

namespace warploom {

/// Reads `name`, `rows`, and optionally `source` and `status` of a TOML file. Throws FileError with file, line, key and
/// what was expected.
Mask read_mask(const std::filesystem::path& file);

/// Every mask of a folder, by key, but for hidden files. Throws FileError for a malformed one; with `left_out` each of
/// those is left out and said there, a line each.
std::vector<Mask> read_masks(const std::filesystem::path& folder, std::vector<std::string>* left_out = nullptr);

/// The masks that are there, by key, and what of the user's own folders could not be read, a line each.
struct KnownMasks {
  std::vector<Mask> masks;
  std::vector<std::string> left_out;
};

/// Every mask of the folders `fractals` within these: of two with the same key the later folder's counts. Those after
/// the first are the user's: they need not be there, and may hold anything. Throws FileError for a malformed mask of
/// the first.
KnownMasks read_masks_within(const std::vector<std::filesystem::path>& folders);

}  // namespace warploom
