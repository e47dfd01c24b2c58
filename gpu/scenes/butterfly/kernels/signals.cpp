#include "gpu/scenes/butterfly/kernels/signals.h"

#include <algorithm>

#include "gpu/scenes/butterfly/kernels/twiddles.h"

namespace warploom {

std::vector<float> sine_table() {
  std::vector<float> sines;
  for (const Complex& w : twiddle_table(12, sine_steps)) sines.push_back(0 - w.im);
  return sines;
}

std::vector<float> drawn_curve(const std::vector<double>& values, int n) {
  const std::size_t count = std::size_t{1} << std::min(n, 12);
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) * static_cast<double>(values.size() - 1) / static_cast<double>(count - 1);
    const auto before = std::min(static_cast<std::size_t>(at), values.size() - 1);
    const double next = values[std::min(before + 1, values.size() - 1)];
    all[i] = static_cast<float>(values[before] + (at - static_cast<double>(before)) * (next - values[before]));
  }
  return all;
}

}  // namespace warploom
