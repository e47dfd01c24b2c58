#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace warploom {

/// A life-like automaton: bit i of `born` / `survive` for i live neighbours.
struct Rule {
  std::uint16_t born = 1u << 3, survive = 1u << 2 | 1u << 3;
  friend bool operator==(const Rule&, const Rule&) = default;
};

/// A rule as logic on words has it: word i of each is all ones where the rule has i, else 0.
template <class Word>
struct RuleWords {
  Word born[9] = {}, survive[9] = {};

  RuleWords() = default;
  explicit RuleWords(const Rule& rule) {
    for (int i = 0; i < 9; ++i) {
      born[i] = rule.born >> i & 1 ? ~Word{0} : 0;
      survive[i] = rule.survive >> i & 1 ? ~Word{0} : 0;
    }
  }
};

/// 'B' digits 0-8 '/S' digits 0-8, either set may be empty, no digit twice, upper or lower case. As Golly does, it takes
/// the sets in the other order, without the '/', and without letters survival first: "S23/B3", "B3S23", "23/3". Throws
/// UsageError saying which character is wrong and why.
Rule parse_rule(std::string_view text);

/// "B3/S23"
std::string text(const Rule& rule);

}  // namespace warploom
