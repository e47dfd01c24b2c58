#include "viewer/ui/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "viewer/base/numbers.h"

namespace warploom::ui {
namespace {

std::string squeezed(std::string_view text) {
  std::string kept;
  for (const char c : text)
    if (c != ' ' && c != '_' && c != '\'') kept += c;
  return !kept.empty() && kept.front() == '+' ? kept.substr(1) : kept;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  const std::string digits = squeezed(text);
  const std::size_t caret = digits.find('^');
  if (caret == std::string::npos) return parse_number<Number>(digits);
  const auto base = parse_number<Number>(std::string_view(digits).substr(0, caret));
  const auto exponent = parse_number<int>(std::string_view(digits).substr(caret + 1));
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
  const auto value = parse_number<double>(squeezed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string format_real(double value) { return fmt::format("{:.6g}", value); }

}  // namespace warploom::ui
