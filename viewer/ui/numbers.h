#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warploom::ui {

/// Reads what people type: surrounding and grouping spaces, '_' and '\'' are skipped, and "2^10" is a power.
/// Nothing where it is no number of that type.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
std::optional<double> parse_real(std::string_view text);

/// The shortest text that reads back as the same number, up to 6 significant digits for reals.
std::string format_real(double value);

}  // namespace warploom::ui
