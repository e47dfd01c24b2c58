#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace warploom {

/// A word, sign or literal of a C++ text; a directive of the preprocessor is one token, with all its lines.
struct Token {
  enum class Kind { word, number, quoted, sign, directive };
  Kind kind = Kind::sign;
  std::string_view text;
  std::size_t at = 0;     ///< in the source
  int line = 1;           ///< where it begins
  std::size_t match = 0;  ///< of a bracket: the number of the token that closes or opens it

  bool is(std::string_view sign) const { return text == sign && kind != Kind::quoted; }
  bool is_one_of(std::initializer_list<std::string_view> signs) const {
    return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return is(sign); });
  }
  bool is_word() const { return kind == Kind::word; }
  bool opens() const { return is("(") || is("[") || is("{"); }
  bool closes() const { return is(")") || is("]") || is("}"); }
  std::size_t end() const { return at + text.size(); }
};

/// The tokens of a text, without comments. Empty where its brackets do not match. `>>` is two tokens: it closes two
/// lists of template arguments more often than it shifts.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace warploom
