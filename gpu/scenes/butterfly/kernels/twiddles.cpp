#include "gpu/scenes/butterfly/kernels/twiddles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warploom {

std::vector<Complex> twiddle_table(int digits, std::uint64_t count) {
  const std::uint64_t turn = std::uint64_t{1} << digits;
  std::vector<Complex> all;
  all.reserve(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    // By eighths of a turn, so that what is equal by symmetry is equal in bits: angle = quarter turns + rest, |rest| at
    // most an eighth.
    const std::uint64_t quarters = (8 * k / turn + 1) / 2;
    const double rest =
        (static_cast<double>(k) / static_cast<double>(turn) - static_cast<double>(quarters) / 4) * 2 * std::numbers::pi;
    double c = std::cos(rest), s = std::sin(rest);
    if (8 * k == turn * (8 * k / turn) && (8 * k / turn) % 2 == 1) c = std::sqrt(.5), s = std::copysign(c, rest);
    const double cosines[] = {c, -s, -c, s}, sines[] = {s, c, -s, -c};
    all.push_back({static_cast<float>(cosines[quarters % 4]), static_cast<float>(-sines[quarters % 4])});
  }
  return all;
}

TwiddleTables::TwiddleTables(Queue& queue, int digits) : digits_(std::max(digits, Twiddles::one_table)) {
  const std::uint64_t half = std::uint64_t{1} << (digits_ - 1);
  if (digits_ == Twiddles::one_table) {
    high_.assign(queue, twiddle_table(digits_, half));
    return;
  }
  high_.assign(queue, twiddle_table(digits_ - Twiddles::low_digits, half >> Twiddles::low_digits));
  low_.assign(queue, twiddle_table(digits_, std::uint64_t{1} << Twiddles::low_digits));
}

}  // namespace warploom
