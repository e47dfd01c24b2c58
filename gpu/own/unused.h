#pragma once
#include <string>
#include <string_view>

namespace warploom {

/// A source of one file without what nothing in it names: functions, structures, names of types and constants that
/// begin a line, with the remarks before them. It reads code as this repository is formatted: what begins a line ends
/// at a line that is '}' or '};', or on its own line. A part of it, written by others, stays as it is.
std::string without_unused(std::string_view source, std::string_view untouched = {});

}  // namespace warploom
