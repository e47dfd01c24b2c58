#include "viewer/ui/numbers.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace warploom::ui {
namespace {

std::string squeezed(std::string_view text) {
  std::string kept;
  for (const char c : text)
    if (c != ' ' && c != '_' && c != '\'') kept += c;
  return !kept.empty() && kept.front() == '+' ? kept.substr(1) : kept;
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  const std::string digits = squeezed(text);
  const std::size_t caret = digits.find('^');
  if (caret == std::string::npos) return whole<Number>(digits);
  const auto base = whole<Number>(std::string_view(digits).substr(0, caret));
  const auto exponent = whole<int>(std::string_view(digits).substr(caret + 1));
  if (!base || !exponent || *exponent < 0 || *exponent > 64) return std::nullopt;
  Number power = 1;
  for (int i = 0; i < *exponent; ++i)
    if (__builtin_mul_overflow(power, *base, &power)) return std::nullopt;
  return power;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) { return parse<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse<std::uint64_t>(text); }

std::optional<double> parse_real(std::string_view text) {
  const auto value = whole<double>(squeezed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string format_real(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.6g", value);
  return buffer;
}

}  // namespace warploom::ui
