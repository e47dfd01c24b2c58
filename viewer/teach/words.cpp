#include "viewer/teach/words.h"

#include <fmt/format.h>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

std::string at_line(const std::string& origin, std::size_t line) { return fmt::format("{}:{}: ", origin, line); }

std::vector<ScriptWord> script_words(std::string_view line) {
  std::vector<ScriptWord> words;
  bool within = false, quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!quoted && c == '#') break;
    if (!quoted && (c == ' ' || c == '\t')) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    ScriptWord& word = words.back();
    word.raw += c;
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted && c == '\\' && i + 1 < line.size() && (line[i + 1] == '"' || line[i + 1] == '\\')) {
      word.text += line[++i];
      word.raw += line[i];
    } else {
      word.text += c;
    }
  }
  if (quoted) throw FileError("a quote stays open: \" is missing");
  return words;
}

std::vector<std::string> script_lines(const std::string& text, const std::string& origin) {
  constexpr std::size_t most_lines = 10000, longest = 4096;
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (lines.size() == most_lines)
      throw FileError(fmt::format("{}it has more than {} lines", at_line(origin, most_lines + 1), most_lines));
    if (line.size() > longest)
      throw FileError(
          fmt::format("{}it has {} bytes, {} are the most", at_line(origin, lines.size() + 1), line.size(), longest));
    if (valid_utf8(line) != line) throw FileError(at_line(origin, lines.size() + 1) + "its bytes are no UTF-8");
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace warploom
