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

/// 'B' digits 0-8 '/S' digits 0-8, either set may be empty, no digit twice, upper or lower case. Throws UsageError
/// saying which character is wrong and why.
Rule parse_rule(std::string_view text);

/// "B3/S23"
std::string text(const Rule& rule);

}  // namespace warploom
