#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <utility>

namespace warploom {

/// "warploom: TEXT", a line on stderr. What cannot be written there is no failure.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  std::fputs(("warploom: " + fmt::format(format, std::forward<Values>(values)...) + "\n").c_str(), stderr);
}

}  // namespace warploom
