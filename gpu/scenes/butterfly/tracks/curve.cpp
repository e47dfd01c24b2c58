// Signals drawn by hand, as words.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/scenes/butterfly/butterfly.h"
#include "gpu/scenes/butterfly/kernels/signals.h"

namespace warploom {

std::vector<double> parse_curve(const std::string& words) {
  constexpr std::size_t most = 256;
  std::vector<double> values;
  std::istringstream all(words);
  for (std::string word; all >> word;) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end || !(std::abs(value) <= 1))
      throw UsageError("curve: value " + std::to_string(values.size() + 1) + " is '" + word +
                       "'; expected a number from -1 to 1");
    values.push_back(value);
  }
  if (values.size() < 2 || values.size() > most)
    throw UsageError("curve has " + std::to_string(values.size()) + " values; expected 2 to " + std::to_string(most) +
                     ", with spaces between them");
  return values;
}

namespace {

/// What a stroke says of a place, where it came within `reach` of it.
std::optional<double> stroke_at(const std::map<double, double>& stroke, double at, double reach) {
  const auto behind = stroke.lower_bound(at);
  const auto before = behind == stroke.begin() ? stroke.end() : std::prev(behind);
  if (behind != stroke.end() && before != stroke.end())
    return before->second + (at - before->first) / (behind->first - before->first) * (behind->second - before->second);
  const auto end = behind == stroke.end() ? before : behind;
  if (end == stroke.end() || std::abs(end->first - at) > reach) return std::nullopt;
  return end->second;
}

}  // namespace

std::vector<double> curve_with(const std::vector<double>& before, const std::map<double, double>& stroke, int n) {
  const int digits = std::clamp(n, 1, 6);
  const double each = std::ldexp(1., -digits);
  std::vector<double> values(std::size_t{1} << digits, 0);
  if (!before.empty()) {
    const auto kept = drawn_curve(before, digits);
    values.assign(kept.begin(), kept.end());
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto drawn = stroke_at(stroke, (static_cast<double>(i) + .5) * each, .5 * each))
      values[i] = std::clamp(*drawn, -1., 1.);
  return values;
}

std::string curve_words(const std::vector<double>& values) {
  std::string words;
  for (const double value : values) {
    char text[16];
    std::snprintf(text, sizeof text, "%.3g", value == 0 ? 0. : value);
    words += words.empty() ? "" : " ";
    words += text;
  }
  return words;
}

}  // namespace warploom
