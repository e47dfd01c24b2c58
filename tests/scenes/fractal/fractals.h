#pragma once
#include <vector>

#include "gpu/scenes/fractal/files/masks.h"
#include "tests/backends.h"
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

inline Mask gasket() { return typed_mask("gasket", {"#.", "##"}); }
inline Mask carpet() { return typed_mask("carpet", {"###", "#.#", "###"}); }
inline Mask full_mask(std::size_t side) {
  return typed_mask("full_" + std::to_string(side), oracle::Rows(side, std::string(side, '#')));
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
