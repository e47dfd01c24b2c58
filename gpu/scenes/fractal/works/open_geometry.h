#pragma once
#include "gpu/core/macros.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// A window of side_x x side_y places of the boxes of a mask that is known when the program runs: not all of them need
/// have a word, and those without are always 0. Beside it are the places around, row by row.
template <int side_x, int side_y>
struct OpenGeometry {
  static constexpr int words = side_x * side_y, slots = (side_x + 2) * (side_y + 2) - words;
  WARPLOOM_HD static constexpr int neighbours(int) { return directions; }
  WARPLOOM_HD static constexpr int neighbour(int place, int direction) {
    return at(place % side_x + step_x(direction), place / side_x + step_y(direction));
  }
  /// The place (x, y), -1 to the sides: one of the window, or `words` + one of those around.
  WARPLOOM_HD static constexpr int at(int x, int y) {
    if (x >= 0 && y >= 0 && x < side_x && y < side_y) return y * side_x + x;
    if (y < 0) return words + x + 1;
    if (y >= side_y) return words + side_x + 2 + 2 * side_y + x + 1;
    return words + side_x + 2 + 2 * y + (x >= side_x);
  }
};

}  // namespace warploom
