#pragma once
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace warploom {

/// The number that the whole text is, in decimal; nullopt for anything else.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace warploom
