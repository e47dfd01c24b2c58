#include "gpu/maps/rule.h"

#include <utility>

#include "gpu/core/error.h"

namespace warploom {

Rule parse_rule(std::string_view text) {
  const auto refuse = [&](const std::string& reason) -> void {
    throw UsageError("rule '" + std::string(text) + "': " + reason + "; a rule is B digits /S digits, like B3/S23");
  };
  Rule rule{0, 0};
  std::size_t at = 0;
  const auto is_at = [&](char upper) {
    return at < text.size() && (text[at] == upper || (upper != '/' && text[at] == upper + ('a' - 'A')));
  };
  const auto expect = [&](char upper) {
    if (at >= text.size()) refuse(std::string("it ends where '") + upper + "' is expected");
    if (!is_at(upper))
      refuse("character " + std::to_string(at + 1) + " is '" + text[at] + "', expected '" + upper + "'");
    ++at;
  };
  const auto digits = [&](std::uint16_t& set) {
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      const int digit = text[at] - '0';
      if (digit == 9) refuse("no cell has 9 neighbours");
      if (set >> digit & 1) refuse(std::string("digit ") + text[at] + " stands twice");
      set = static_cast<std::uint16_t>(set | 1u << digit);
    }
  };
  if ((is_at('/') && text.size() > 1) || (at < text.size() && text[at] >= '0' && text[at] <= '9')) {
    digits(rule.survive);  // without letters survival stands first: 23/3
    expect('/');
    digits(rule.born);
  } else {
    const bool survival_first = is_at('S');
    expect(survival_first ? 'S' : 'B');
    digits(survival_first ? rule.survive : rule.born);
    if (is_at('/')) ++at;
    expect(survival_first ? 'B' : 'S');
    digits(survival_first ? rule.born : rule.survive);
  }
  if (at < text.size()) refuse("character " + std::to_string(at + 1) + " is '" + text[at] + "', expected the end");
  return rule;
}

std::string text(const Rule& rule) {
  std::string all;
  for (const auto& [letter, set] : {std::pair{"B", rule.born}, {"/S", rule.survive}}) {
    all += letter;
    for (int i = 0; i <= 8; ++i)
      if (set >> i & 1) all += static_cast<char>('0' + i);
  }
  return all;
}

}  // namespace warploom
