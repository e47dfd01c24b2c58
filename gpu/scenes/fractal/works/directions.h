#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// The eight directions, row by row without the centre.
inline constexpr int directions = 8;
WARPLOOM_HD constexpr int step_x(int direction) { return (direction + (direction > 3)) % 3 - 1; }
WARPLOOM_HD constexpr int step_y(int direction) { return (direction + (direction > 3)) / 3 - 1; }
/// Of a step, each part -1, 0 or 1 and not both 0.
WARPLOOM_HD constexpr int direction_of(int x, int y) {
  const int at = (y + 1) * 3 + x + 1;
  return at - (at > 4);
}

}  // namespace warploom
