#include "viewer/ui/plot/usual.h"

#include <algorithm>
#include <cmath>

namespace warploom::ui {

Usual usual(std::span<const double> values, double share, std::string unit) {
  std::vector<double> sorted;
  for (const double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  Extent extent;
  if (!sorted.empty()) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * double(sorted.size()) - 1e-9));
    const auto at = sorted.begin() + std::ptrdiff_t(std::clamp<std::size_t>(rank, 1, sorted.size()) - 1);
    std::nth_element(sorted.begin(), at, sorted.end());
    extent.add(*at);
    extent.add(*std::min_element(sorted.begin(), sorted.end()));
  }
  Usual result{fitted(extent, true, std::move(unit)), {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] > result.axis.max) result.above.push_back(double(i));
  return result;
}

std::string above_words(const Usual& usual) {
  return usual.above.empty() ? "" : std::to_string(usual.above.size()) + " above";
}

}  // namespace warploom::ui
