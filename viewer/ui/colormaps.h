#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warploom::ui {

/// 256 opaque colours from low to high, red in the lowest byte (gpu/core/pixels.h, and ImGui's packing).
struct Colormap {
  std::string name;
  std::array<std::uint32_t, 256> rgba{};

  /// The colour at `position` in 0..1; what lies outside takes the nearer end.
  std::uint32_t at(double position) const;
};

/// Every NAME.csv of `folder`, cividis first, then by name. A file has 256 lines `r,g,b` of 0..255, and comments after
/// #. Throws FileError naming file, line and what was expected.
std::vector<Colormap> load_colormaps(const std::filesystem::path& folder);

}  // namespace warploom::ui
