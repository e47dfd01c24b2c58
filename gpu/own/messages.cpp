// What compilers say of own maps, at lines of the user's text.
#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "gpu/own/compile_cpp.h"
#include "gpu/own/phrases.h"
#include "gpu/own/text.h"

namespace warploom {

namespace {

/// What a compiler says of a value that is no Place, in words of maps; and no names of ours. `at`: the text's line.
std::string in_words_of_maps(const std::string& what, const std::string& at) {
  // By g++, clang++ and NVRTC.
  static const std::regex other(
      R"re((?:could not convert .* from '(.+)' to '|)re"
      R"re(no viable conversion from returned value of type '(.+)' to function return type '|)re"
      R"re(no suitable constructor exists to convert from "(.+)" to ")(?:warploom::own::)?Place['"].*)re");
  static const std::regex names(R"((?:::)?warploom::own::(?:of_rule::)?)");
  std::smatch match;
  std::string words = what;
  if (std::regex_match(what, match, other))
    words = (at.find("return") != at.npos ? "a map answers with a Place; this one answers with "
                                          : "a Place is expected here, not ") +
            match[1].str() + match[2].str() + match[3].str();
  return std::regex_replace(words, names, "");
}

/// What a function of a text returns, as its head says it; empty: it does not.
std::string declared_result(const OwnSource& text, const std::string& name) {
  const Phrases phrases(text.source);
  for (std::size_t i = 0; i < phrases.size(); ++i)
    if (phrases[i].is(name))
      if (const auto body = phrases.body_of(i)) return phrases.result_of(i, *body);
  return {};
}

}  // namespace

std::vector<std::string> own_messages(const OwnSource& text, const std::string& output) {
  // FILE:LINE:COLUMN: error: WHAT
  static const std::regex told(
      R"(^(.+?):(\d{1,9}):(?:(\d{1,9}):)? (fatal error|error|note|warning|  +required.*): ?(.*)$)");
  static const std::regex asserted(
      R"words((?:static assertion|static_assert) failed(?: due to requirement '[^']*')?:? ?"?([^"]*)"?)words");
  static const std::regex placed(R"(^(?:.*?)([^\s:]+):(\d{1,9}):(?:(\d{1,9}):)?)");
  std::vector<std::string> all;
  std::string ours_first;  // of code of ours, that waits for a line of the user's that led there
  const auto say = [&](int line, const std::string& column, const std::string& what) {
    // A list with a mistake in it has no type: the mistake was told.
    if (what.find("<brace-enclosed initializer list>") != what.npos && std::ranges::any_of(all, [&](const auto& one) {
          return one.starts_with(fmt::format("{}:{}:", text.file, line));
        }))
      return;
    const std::string message = fmt::format("{}:{}:{}{} {}", text.file, line, column, column.empty() ? "" : ":",
                                            in_words_of_maps(what, line_of(text.source, line)));
    if (std::find(all.begin(), all.end(), message) == all.end()) all.push_back(message);
  };
  bool in_words = false;  // of ours: then the rest says the same in the compiler's
  for (std::size_t begin = 0; begin < output.size();) {
    auto end = output.find('\n', begin);
    if (end == output.npos) end = output.size();
    // Expressions over text go as deep as it is long.
    constexpr std::size_t longest = 2000;
    const std::string line = output.substr(begin, std::min(end - begin, longest));
    begin = end + 1;
    std::smatch match;
    if (!std::regex_search(line, match, told)) {
      if (line.find("undefined reference to") != line.npos && line.find("own::") != line.npos) {
        std::smatch at;
        const bool has = std::regex_search(line, at, placed) && at[1] == text.file;
        std::string name = line.substr(line.find("own::") + 5);
        if (name.ends_with('\'')) name.pop_back();
        say(has ? std::stoi(at[2]) : 1, "", "declared, and never defined: " + name);
      }
      // "fold.h:3:5:   required from here"
      if (!ours_first.empty() && std::regex_search(line, match, placed) && match[1] == text.file) {
        say(std::stoi(match[2]), match[3], ours_first);
        ours_first.clear();
      }
      continue;
    }
    const bool error = match[4].str().find("error") != std::string::npos;
    if (match[1] == text.file) {
      if (error && !in_words) {
        const int last = 1 + static_cast<int>(std::count(text.source.begin(), text.source.end(), '\n'));
        say(std::min(std::stoi(match[2]), last + 1), match[3], match[5]);
        ours_first.clear();
      } else if (!ours_first.empty()) {
        say(std::stoi(match[2]), match[3], ours_first);
        ours_first.clear();
      }
    } else if (error && all.empty()) {
      const std::string what = match[5];
      std::smatch words;
      if (std::regex_search(what, words, asserted) && what.find("static") == 0) {
        // In our words: at the function that they name.
        const std::string ours_says = words[1];
        int at = 1;
        std::string result;
        for (const auto& [name, where] : text.functions)
          if (ours_says.find("`" + name + "`") != ours_says.npos) {
            at = where;
            if (ours_says.ends_with("answers with a Place")) result = declared_result(text, name);
          }
        say(at, "", result.empty() ? ours_says : fmt::format("{}; this one answers with {}", ours_says, result));
        in_words = true;
      } else if (ours_first.empty()) {
        ours_first = what;
      }
    }
  }
  if (all.empty() && !ours_first.empty()) say(1, "", ours_first);
  if (all.size() > 5) all.resize(5);
  return all;
}

}  // namespace warploom
