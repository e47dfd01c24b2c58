#pragma once
#include "gpu/scenes/butterfly/networks/fft.h"
#include "gpu/scenes/butterfly/tuned/fft_plans.h"

namespace warploom {

/// The network of a transform whose stages are the windows of a shape: decimation in frequency, as FftNetwork.
struct WindowedFft {
  static constexpr int operands = 32;
  int n;
  FftShape shape;
  constexpr int stages() const { return shape.count(); }
  constexpr NetworkStage stage(int number) const {
    const int low = shape.low(number - 1) + 1;
    return {low + shape.windows[number - 1] - 1, low, number - 1};
  }
  constexpr std::uint64_t nodes() const {
    std::uint64_t all = 0;
    for (int j = 1; j <= stages(); ++j) all += (std::uint64_t{1} << n) >> shape.windows[j - 1];
    return all;
  }
  constexpr bool makes(int /*stage*/, std::uint32_t /*e*/) const { return true; }
  constexpr std::uint32_t partner(int number, std::uint32_t e, int k) const {
    return digits_partner(stage(number), e, k);
  }
  constexpr std::uint32_t node(int number, std::uint32_t e) const { return digits_node(stage(number), e); }
};

}  // namespace warploom
