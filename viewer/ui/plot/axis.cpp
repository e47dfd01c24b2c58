#include "viewer/ui/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warploom::ui {
namespace {

double forward(Scale scale, double value) {
  if (scale == Scale::linear) return value;
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return scale == Scale::log2 ? std::log2(value) : std::log10(value);
}

double backward(Scale scale, double value) {
  return scale == Scale::linear ? value : scale == Scale::log2 ? std::exp2(value) : std::pow(10.0, value);
}

/// The smallest of 1, 2, 5 times a power of ten that cuts `span` into at most `parts`.
double nice_step(double span, int parts) {
  const double rough = span / std::max(1, parts), power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string decimal(double value, int places) { return fmt::format("{:.{}f}", value, places); }

std::vector<Tick> linear_ticks(double min, double max, int wanted) {
  std::vector<Tick> result;
  const double span = max - min;
  if (!(span > 0) || !std::isfinite(span)) return result;
  const double step = nice_step(span, wanted);
  const int places = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 12);
  const bool huge = std::max(std::abs(min), std::abs(max)) >= 1e6;
  for (double k = std::ceil(min / step - 1e-9); k * step <= max + 1e-9 * span; k += 1) {
    const double value = k == 0 ? 0 : k * step;
    result.push_back({value, huge ? short_number(value) : decimal(value, places)});
  }
  return result;
}

std::string superscript(int value) {
  constexpr std::array<const char*, 10> figures{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = value < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(value))) result += figures[static_cast<std::size_t>(c - '0')];
  return result;
}

std::vector<Tick> power_ticks(const Axis& axis, int wanted) {
  std::vector<Tick> result;
  const int low = static_cast<int>(std::ceil(forward(axis.scale, axis.min) - 1e-9));
  const int high = static_cast<int>(std::floor(forward(axis.scale, axis.max) + 1e-9));
  int stride = 1;
  while ((high - low) / stride + 1 > wanted) ++stride;
  const bool binary = axis.scale == Scale::log2;
  // Small powers read better as numbers: 1, 2, 4, 8 rather than 2⁰ to 2³.
  const bool plain = binary ? low >= -3 && high <= 6 : low >= -3 && high <= 3;
  // Multiples of the stride, so that 1 is among them wherever the axis has it.
  const int first = static_cast<int>(std::ceil(static_cast<double>(low) / stride)) * stride;
  for (int exponent = first; exponent <= high; exponent += stride) {
    const double value = backward(axis.scale, exponent);
    const std::string power = (binary ? "2" : "10") + superscript(exponent);
    result.push_back({value, plain ? decimal(value, std::max(0, -exponent)) : power});
  }
  return result;
}

}  // namespace

double position(const Axis& axis, double value) {
  const double low = forward(axis.scale, axis.min), high = forward(axis.scale, axis.max);
  return (forward(axis.scale, value) - low) / (high - low);
}

double value_at(const Axis& axis, double position) {
  const double low = forward(axis.scale, axis.min), high = forward(axis.scale, axis.max);
  return backward(axis.scale, low + (high - low) * position);
}

std::vector<Tick> ticks(const Axis& axis, int wanted) {
  if (axis.scale == Scale::linear) return linear_ticks(axis.min, axis.max, std::max(2, wanted));
  std::vector<Tick> powers = power_ticks(axis, std::max(2, wanted));
  return powers.size() >= 2 ? powers : linear_ticks(axis.min, axis.max, std::max(2, wanted));
}

void Extent::add(double value) {
  if (!std::isfinite(value) || (scale != Scale::linear && value <= 0)) return;
  min = empty ? value : std::min(min, value);
  max = empty ? value : std::max(max, value);
  empty = false;
}

void Extent::add(std::span<const double> values) {
  for (const double value : values) add(value);
}

Axis fitted(const Extent& extent, bool from_zero, std::string unit) {
  Axis axis{extent.scale, extent.min, extent.max, std::move(unit)};
  if (axis.scale == Scale::linear) {
    if (extent.empty) axis.min = 0, axis.max = 1;
    if (from_zero) axis.min = std::min(0.0, axis.min), axis.max = std::max(0.0, axis.max);
    if (axis.min == axis.max) axis.max = axis.min + std::max(1e-9, std::abs(axis.min) * 0.1);
    const double step = nice_step(axis.max - axis.min, 4);
    axis.min = std::floor(axis.min / step + 1e-9) * step;
    axis.max = std::ceil(axis.max / step - 1e-9) * step;
    return axis;
  }
  if (extent.empty) axis.min = 1, axis.max = 2;
  axis.min = backward(axis.scale, std::floor(forward(axis.scale, axis.min) + 1e-9));
  axis.max = backward(axis.scale, std::ceil(forward(axis.scale, axis.max) - 1e-9));
  if (axis.min == axis.max) axis.max *= axis.scale == Scale::log2 ? 2 : 10;
  return axis;
}

std::string short_number(double value) { return std::isnan(value) ? "–" : fmt::format("{:.4g}", value); }

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
