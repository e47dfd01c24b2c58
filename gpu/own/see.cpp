#include "gpu/own/see.h"

#include <algorithm>
#include <optional>

#include "gpu/own/phrases.h"

namespace warploom {

namespace {

/// Thrown over a function that is left alone, and never out of this file.
struct Unknown {};

/// Statements stand in statements at most so deep: each is a call.
constexpr int most_depth = 200;

class Marker {
 public:
  Marker(std::string_view source, int file) : source_(source), file_(std::to_string(file)), t_(source) {}

  /// Null: all functions outside of classes.
  std::string mark(const std::span<const std::string_view>* functions) {
    for (std::size_t i = 0; i < t_.size(); ++i) {
      if (!functions && t_[i].opens() && !t_.opens_namespace(i)) i = t_[i].match;
      if (functions && std::find(functions->begin(), functions->end(), t_[i].text) == functions->end()) continue;
      if (const auto body = t_.body_of(i)) {
        function(i, *body);
        i = t_[*body].match;
      }
    }
    return marked();
  }

 private:
  void function(std::size_t name, std::size_t body) {
    result_ = t_.result_of(name, body);
    marks_answers_ = result_ != "void";
    for (std::size_t k = t_.head(name); k < body; ++k) {
      if (t_[k].is("consteval")) return;
      // What is put around an answer may change its type.
      if (t_[k].is("decltype")) marks_answers_ = false;
    }
    const std::size_t before = insertions_.size();
    depth_ = 0;
    try {
      (void)block(body);
    } catch (const Unknown&) {
      insertions_.resize(before);
    }
  }

  // ---- statements: each returns the token after it ------------------------------------------------------------------
  std::size_t block(std::size_t open) {
    const std::size_t close = t_[open].match;
    for (std::size_t i = open + 1; i < close;) i = t_[i].kind == Token::Kind::directive ? i + 1 : statement(i, close);
    return close + 1;
  }

  std::size_t statement(std::size_t i, std::size_t end) {
    if (++depth_ > most_depth) throw Unknown();
    while (i + 1 < end && t_[i].is("[") && t_[i + 1].is("[")) i = t_[i].match + 1;  // attributes
    while (i + 1 < end && Phrases::is_name(t_[i]) && t_[i + 1].is(":")) i += 2;     // labels
    if (i >= end || t_[i].is_one_of({"else", "case", "default", "catch"})) throw Unknown();
    const std::size_t next = known_statement(i, end);
    --depth_;
    return next;
  }

  std::size_t known_statement(std::size_t i, std::size_t end) {
    const Token& first = t_[i];
    if (first.is("{")) return block(i);
    if (first.is("if")) return branch(i, end);
    if (first.is("for")) return for_loop(i, end);
    if (first.is("while")) {
      const std::size_t close = condition(i + 1, end, first.line);
      return inner(close + 1, end, turn(first.line));
    }
    if (first.is("do")) {
      const std::size_t last = inner(i + 1, end, turn(first.line));
      if (last >= end || !t_[last].is("while")) throw Unknown();
      return semicolon(condition(last + 1, end, t_[last].line) + 1, end) + 1;
    }
    if (first.is("switch")) {
      const std::size_t body = parentheses(i + 1, end) + 1;
      if (body >= end || !t_[body].is("{")) throw Unknown();
      return t_[body].match + 1;
    }
    if (first.is("try")) {
      std::size_t next = inner(i + 1, end);
      while (next < end && t_[next].is("catch")) next = inner(parentheses(next + 1, end) + 1, end);
      return next;
    }
    const std::size_t last = semicolon(i, end);
    if (t_.has_directive(i, last)) return last + 1;
    if (first.is("return")) {
      answer(i, last);
    } else if (!Phrases::is_keyword(first) && !first.is("__asm__")) {
      const std::string values = values_of(i, last);
      if (!values.empty()) insert(t_[last].end(), values);
    }
    return last + 1;
  }

  std::size_t branch(std::size_t i, std::size_t end) {
    const bool by_compiler = i + 1 < end && t_[i + 1].is("constexpr");
    const std::size_t close = by_compiler ? parentheses(i + 2, end) : condition(i + 1, end, t_[i].line);
    const std::size_t next = inner(close + 1, end);
    return next < end && t_[next].is("else") ? inner(next + 1, end) : next;
  }

  std::size_t for_loop(std::size_t i, std::size_t end) {
    const std::size_t close = parentheses(i + 1, end);
    std::size_t last = i + 2;
    while (last < close && !t_[last].is_one_of({";", ":"})) last = t_.after(last);
    std::string begin = turn(t_[i].line);
    if (const auto names = t_.declared(i + 2, last))
      for (const std::size_t name : *names) begin += value(std::string(t_[name].text), t_[name].line);
    return inner(close + 1, end, begin);
  }

  /// A statement of another one; it has brackets then. `begin`: what is done before it.
  std::size_t inner(std::size_t i, std::size_t end, const std::string& begin = "") {
    if (i >= end || t_[i].kind == Token::Kind::directive) throw Unknown();
    if (t_[i].is("{")) {
      if (!begin.empty()) insert(t_[i].end(), begin);
      return statement(i, end);
    }
    // Nothing is put before or behind these.
    if (begin.empty() && t_[i].is_one_of({"if", "for", "while", "do", "switch", "try"})) return statement(i, end);
    insert(t_[i].at, "{" + begin + " ");
    const std::size_t next = statement(i, end);
    insert(t_[next - 1].end(), " }");
    return next;
  }

  void answer(std::size_t i, std::size_t last) {
    const std::size_t first = i + 1;
    if (first == last || !marks_answers_) return;
    const std::string begin = " ::warploom::own::see_answer(" + place(t_[i].line);
    const bool in_brackets = t_[first].is("{") && t_[first].match + 1 == last;
    // As the type that is returned: what is noted is what the caller gets, and a list in brackets has none of its own.
    if (!result_.empty() && result_.find_first_of("&*") == result_.npos) {
      insert(t_[i].end(), begin + "::warploom::own::SeenAs<" + result_ + (in_brackets ? ">" : ">(("));
      insert(t_[last].at, in_brackets ? ")" : ")))");
    } else if (!in_brackets && result_.find('*') == result_.npos) {
      insert(t_[i].end(), begin + "(");
      insert(t_[last].at, "))");
    }
  }

  /// Of an `if` or a `while`. Returns the bracket that closes it.
  std::size_t condition(std::size_t open, std::size_t end, int line) {
    const std::size_t close = parentheses(open, end);
    for (std::size_t k = open + 1; k < close; k = t_.after(k))
      // A declaration begins with two words, or assigns.
      if (t_[k].is_one_of({";", "="}) || (t_[k].is_word() && t_[k + 1].is_word())) return close;
    if (close == open + 1 || t_.has_directive(open, close)) return close;
    insert(t_[open].end(), "::warploom::own::see_condition(" + place(line) + "(");
    insert(t_[close].at, "))");
    return close;
  }

  // ---- what a statement sets ----------------------------------------------------------------------------------------
  std::string values_of(std::size_t i, std::size_t last) const {
    std::string text;
    if (const auto names = t_.declared(i, last)) {
      for (const std::size_t name : *names) text += value(std::string(t_[name].text), t_[name].line);
      return text;
    }
    for (std::size_t begin = i; begin < last;) {
      std::size_t end = begin;
      while (end < last && !t_[end].is(",")) end = t_.after(end);
      text += values_set(begin, end);
      begin = end + 1;
    }
    return text;
  }
  /// Of an expression without commas.
  std::string values_set(std::size_t i, std::size_t end) const {
    if (i >= end) return {};
    if (Phrases::steps(t_[i])) return value(t_.place(i + 1, end), t_[i].line);
    if (Phrases::steps(t_[end - 1])) return value(t_.place(i, end - 1), t_[i].line);
    std::string text;
    for (std::size_t k = i; k < end; k = t_.after(k))
      if (Phrases::assigns(t_[k])) {
        text += value(t_.place(i, k), t_[i].line);
        i = k + 1;
      }
    return text;
  }

  // ---- tokens -------------------------------------------------------------------------------------------------------
  /// The bracket that closes the one at i.
  std::size_t parentheses(std::size_t i, std::size_t end) const {
    if (i >= end || !t_[i].is("(")) throw Unknown();
    return t_[i].match;
  }
  std::size_t semicolon(std::size_t i, std::size_t end) const {
    while (i < end && !t_[i].is(";")) i = t_.after(i);
    if (i >= end) throw Unknown();
    return i;
  }

  // ---- what is put in -----------------------------------------------------------------------------------------------
  std::string place(int line) const { return file_ + ", " + std::to_string(line) + ", "; }
  std::string turn(int line) const {
    return " ::warploom::own::see_turn(" + file_ + ", " + std::to_string(line) + ");";
  }
  std::string value(const std::string& of, int line) const {
    return of.empty() ? of : " ::warploom::own::see_value(" + place(line) + of + ");";
  }
  void insert(std::size_t at, std::string text) { insertions_.push_back({at, std::move(text)}); }

  std::string marked() {
    // What comes at the same place stays in the order in which it was made: what is inside another statement ends
    // first.
    std::stable_sort(insertions_.begin(), insertions_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    std::string all;
    std::size_t from = 0;
    for (const Insertion& one : insertions_) {
      all.append(source_.substr(from, one.at - from)).append(one.text);
      from = one.at;
    }
    return all.append(source_.substr(from));
  }

  struct Insertion {
    std::size_t at;
    std::string text;
  };
  std::string_view source_;
  std::string file_;
  Phrases t_;
  std::vector<Insertion> insertions_;
  // Of the function that is marked.
  std::string result_;
  bool marks_answers_ = false;
  int depth_ = 0;
};

}  // namespace

std::string marked(std::string_view source, int file, std::span<const std::string_view> functions) {
  return Marker(source, file).mark(&functions);
}

std::string marked(std::string_view source, int file) { return Marker(source, file).mark(nullptr); }

}  // namespace warploom
