#pragma once
#include <vector>

#include "gpu/scenes/fractal/files/masks.h"
#include "tests/sanitized.h"
#include "tests/scenes/fractal/oracle.h"

namespace warploom {

inline std::vector<Mask> shipped_masks() {
  return read_masks(std::filesystem::path(WARPLOOM_SOURCE_DIR) / "assets" / "fractals");
}

inline Mask typed_mask(std::string key, std::vector<std::string> rows) {
  Mask mask;
  mask.key = mask.name = std::move(key);
  mask.rows = std::move(rows);
  return mask;
}

/// The shipped masks and the custom ones.
inline std::vector<Mask> all_masks() {
  std::vector<Mask> masks = shipped_masks();
  for (const auto& [key, rows] : oracle::custom_masks()) masks.push_back(typed_mask(key, rows));
  return masks;
}

/// Levels 0 to 6, as far as the box has at most `most` places.
inline std::vector<int> levels_up_to(const Mask& mask, double most) {
  std::vector<int> levels;
  double places = 1;
  for (int r = 0; r <= 6 && places <= most; ++r, places *= mask.side_x() * mask.side_y()) levels.push_back(r);
  return levels;
}

}  // namespace warploom
