#pragma once
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// The widest row that a thread has, in words of eight cells, and its cells.
inline constexpr int most_row_words = 4;
inline constexpr std::uint32_t most_row_cells = 8 * most_row_words;

/// The digits of the tiles that rows are served in: those of the blocks, of which a row fits a thread and a column a
/// warp.
inline int row_digits(const FractalDomain& domain, int block_digits) {
  int digits = 0;
  while (digits < block_digits && domain.power_x[digits + 1].divisor <= most_row_cells &&
         domain.power_y[digits + 1].divisor <= warp_size)
    ++digits;
  return digits;
}

}  // namespace warploom
