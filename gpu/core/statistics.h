#pragma once
#include <cstdint>
#include <span>

namespace warploom {

/// Order statistics of samples, in the samples' unit. All zero for none. One sample has no percentiles: not a number.
struct Summary {
  std::size_t samples = 0;
  double median = 0, p5 = 0, p95 = 0, p99 = 0, minimum = 0;
  /// 95 % interval of the median by order statistics [hahn1991intervals]; of less than 10 samples, their ends.
  double median_low = 0, median_high = 0;
};
Summary summarize(std::span<const double> samples);

/// Median of paired ratios with a bootstrap 95 % interval [efron1979bootstrap].
struct Ratio {
  double median = 1, low = 1, high = 1;
  std::size_t pairs = 0;
  /// Fewer pairs say nothing of an interval.
  bool enough() const { return pairs >= 10; }
};
/// numerator[i] / denominator[i], over the pairs both have. Deterministic.
Ratio paired_ratio(std::span<const double> numerator, std::span<const double> denominator, int resamples = 400);

}  // namespace warploom
