#include "gpu/scenes/butterfly/tuned/turns.h"

#include "gpu/scenes/butterfly/kernels/twiddles.h"

namespace warploom {

std::vector<Complex> turns_of(const FftShape& shape) {
  std::vector<Complex> all;
  for (int window = 0; window < shape.count() && shape.low(window) > 0; ++window) {
    const int low = shape.low(window), digits = low + shape.windows[window];
    const std::vector<Complex> turn = twiddle_table(digits, std::uint64_t{1} << digits);
    for (std::size_t below = 0; below >> low == 0; ++below)
      for (int k = 0; k < turn_entries(shape, window); ++k) all.push_back(turn[(below << k) & (turn.size() - 1)]);
  }
  return all;
}

}  // namespace warploom
