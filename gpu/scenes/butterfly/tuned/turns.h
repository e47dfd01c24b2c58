#pragma once
#include <vector>

#include "gpu/scenes/butterfly/tuned/fft_plans.h"

namespace warploom {

/// Powers of turns that a window's elements are multiplied by: of each number `low` of the digits below it w, w^2, w^4,
/// .., w = W_(2^(high + 1))^low: entries of a window lie one after the other, an even number of them, windows likewise.
WARPLOOM_HD constexpr int turn_entries(const FftShape& shape, int window) {
  return (shape.windows[window] + 1) / 2 * 2;
}
WARPLOOM_HD constexpr std::uint32_t first_turn(const FftShape& shape, int window) {
  std::uint32_t first = 0;
  for (int i = 0; i < window; ++i) first += static_cast<std::uint32_t>(turn_entries(shape, i)) << shape.low(i);
  return first;
}
/// They all, made in double. Windows without digits below them have none.
std::vector<Complex> turns_of(const FftShape& shape);

}  // namespace warploom
