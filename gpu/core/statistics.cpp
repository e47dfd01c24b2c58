#include "gpu/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/hash.h"

namespace warploom {

namespace {

/// Linear interpolation between order statistics; `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

Summary summarize(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  // How many samples lie below the median is binomial, near normal from ten on.
  const auto count = static_cast<double>(sorted.size()), spread = .98 * std::sqrt(count);  // 1.96 / 2
  const auto rank = [&](double at) { return sorted[static_cast<std::size_t>(std::clamp(at, 0., count - 1))]; };
  const bool few = sorted.size() < 10;
  const auto percentile = [&](double share) { return sorted.size() > 1 ? quantile(sorted, share) : std::nan(""); };
  return {sorted.size(),
          quantile(sorted, .5),
          percentile(.05),
          percentile(.95),
          percentile(.99),
          sorted[0],
          few ? sorted.front() : rank(std::floor(count / 2 - spread) - 1),
          few ? sorted.back() : rank(std::ceil(count / 2 + spread))};
}

Ratio paired_ratio(std::span<const double> numerator, std::span<const double> denominator, int resamples) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(numerator.size(), denominator.size()); ++i)
    if (denominator[i] > 0) ratios.push_back(numerator[i] / denominator[i]);
  if (ratios.empty()) return {};
  std::vector<double> medians, resample(ratios.size());
  for (int round = 0; round < resamples; ++round) {
    for (std::size_t i = 0; i < resample.size(); ++i)
      resample[i] = ratios[cell_hash(static_cast<std::uint64_t>(round), i, 7) % ratios.size()];
    medians.push_back(median_of(resample));
  }
  std::sort(medians.begin(), medians.end());
  const double median = median_of(ratios);
  if (medians.empty()) medians = {median};
  return {median, quantile(medians, .025), quantile(medians, .975), ratios.size()};
}

}  // namespace warploom
