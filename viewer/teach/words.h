#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// One word of a script line.
struct ScriptWord {
  std::string text;  ///< without its quotes, "\"" and "\\" resolved
  std::string raw;   ///< as it was typed
};

/// The words of a line: they are separated by spaces, "..." keeps spaces, and # outside quotes begins a comment. Throws
/// FileError where a quote stays open.
std::vector<ScriptWord> script_words(std::string_view line);

/// The lines of a text, without their ends (LF or CR LF). Throws FileError, `origin` first, where it is no UTF-8, has
/// more than 10,000 lines or a line of more than 4 KiB.
std::vector<std::string> script_lines(const std::string& text, const std::string& origin);

/// "FILE:LINE: "
std::string at_line(const std::string& origin, std::size_t line);

}  // namespace warploom
