#include "gpu/own/tokens.h"

#include <string>

#include "gpu/own/letters.h"

namespace warploom {

namespace {

/// Signs of several characters, the longest first.
constexpr std::string_view long_signs[] = {"<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", "<=", ">=",
                                           "==",  "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^="};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Letters beyond ASCII are of names, too.
bool is_of_word(char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<Token> tokens() {
    while (at_ < source_.size()) step();
    return open_.empty() && !broken_ ? std::move(tokens_) : std::vector<Token>{};
  }

 private:
  char ahead(std::size_t by) const { return at_ + by < source_.size() ? source_[at_ + by] : '\0'; }
  bool starts(std::string_view with) const { return source_.substr(at_).starts_with(with); }

  /// Where the line ends, past line ends that a backslash takes away.
  std::size_t line_end(std::size_t from) const {
    for (;;) {
      const auto end = source_.find('\n', from);
      if (end == source_.npos) return source_.size();
      const std::size_t last = end > 0 && source_[end - 1] == '\r' ? end - 1 : end;
      if (last == 0 || source_[last - 1] != '\\') return end;
      from = end + 1;
    }
  }
  std::size_t comment_end(std::size_t from) const {
    const auto end = source_.find("*/", from + 2);
    return end == source_.npos ? source_.size() : end + 2;
  }

  void pass_to(std::size_t end) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }
  void take(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, source_.substr(at_, end - at_), at_, line_, 0});
    pass_to(end);
  }

  void step() {
    const char c = source_[at_];
    if (c == '\n') line_begins_ = true;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') return pass_to(at_ + 1);
    if (starts("//")) return pass_to(line_end(at_));
    if (starts("/*")) return pass_to(comment_end(at_));
    if (c == '#' && line_begins_) return take(Token::Kind::directive, directive_end());
    line_begins_ = false;
    if (c == '"' || c == '\'') return take(Token::Kind::quoted, quoted_end());
    if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) return take(Token::Kind::number, number_end());
    if (is_of_word(c)) return take(Token::Kind::word, word_end());
    for (const std::string_view sign : long_signs)
      if (starts(sign)) return take(Token::Kind::sign, at_ + sign.size());
    take(Token::Kind::sign, at_ + 1);
    match_last();
  }

  std::size_t word_end() const {
    std::size_t end = at_;
    while (end < source_.size() && is_of_word(source_[end])) ++end;
    return end;
  }
  std::size_t number_end() const {
    std::size_t end = at_;
    for (; end < source_.size(); ++end) {
      const char c = source_[end];
      const bool sign =
          (c == '+' || c == '-') && std::string_view("eEpP").find(source_[end - 1]) != std::string_view::npos;
      const bool mark = c == '\'' && end + 1 < source_.size() && is_letter(source_[end + 1]);
      if (!is_of_word(c) && c != '.' && !sign && !mark) break;
    }
    return end;
  }
  std::size_t quoted_end() const {
    const char mark = source_[at_];
    if (mark == '"' && !tokens_.empty() && tokens_.back().end() == at_)
      for (const std::string_view prefix : {"R", "LR", "uR", "UR", "u8R"})
        if (tokens_.back().is(prefix)) return raw_end();
    std::size_t end = at_ + 1;
    for (; end < source_.size() && source_[end] != mark && source_[end] != '\n'; ++end)
      if (source_[end] == '\\') ++end;
    return std::min(end < source_.size() && source_[end] == mark ? end + 1 : end, source_.size());
  }
  /// What a raw string holds ends with its own word.
  std::size_t raw_end() const {
    const auto paren = source_.find('(', at_);
    if (paren == source_.npos) return source_.size();
    std::string closing = ")";
    closing += source_.substr(at_ + 1, paren - at_ - 1);
    closing += '"';
    const auto end = source_.find(closing, paren);
    return end == source_.npos ? source_.size() : end + closing.size();
  }
  /// With the lines of comments that begin in it.
  std::size_t directive_end() const {
    const std::size_t end = line_end(at_);
    const std::string_view line = source_.substr(at_, end - at_);
    const auto comment = line.find("/*"), rest = line.find("//");
    if (comment == line.npos || rest < comment || line.find("*/", comment + 2) != line.npos) return end;
    return comment_end(at_ + comment);
  }

  void match_last() {
    const std::size_t last = tokens_.size() - 1;
    Token& token = tokens_[last];
    if (token.opens()) open_.push_back(last);
    if (!token.closes()) return;
    const std::string_view opening = token.is(")") ? "(" : token.is("]") ? "[" : "{";
    if (open_.empty() || !tokens_[open_.back()].is(opening)) {
      broken_ = true;
      return;
    }
    token.match = open_.back();
    tokens_[open_.back()].match = last;
    open_.pop_back();
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_begins_ = true, broken_ = false;
  std::vector<Token> tokens_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Tokenizer(source).tokens(); }

}  // namespace warploom
