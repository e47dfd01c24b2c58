#include "gpu/own/phrases.h"

#include <algorithm>

namespace warploom {

namespace {

bool is_macro(const Token& token) {
  return token.is_word() && token.text.size() > 1 &&
         token.text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

/// Of a type that is declared.
bool is_qualifier(const Token& token) {
  return token.is_one_of(
      {"const", "volatile", "constexpr", "static", "thread_local", "register", "typename", "constinit", "inline"});
}
bool is_built_in(const Token& token) {
  return token.is_one_of({"unsigned", "signed", "int", "long", "short", "char", "bool", "float", "double"});
}

}  // namespace

bool Phrases::is_keyword(const Token& token) {
  return token.is_one_of(
      {"if",       "else",      "for",       "while",         "do",      "switch",  "case",    "default",
       "return",   "goto",      "break",     "continue",      "try",     "catch",   "throw",   "new",
       "delete",   "sizeof",    "alignof",   "typeid",        "using",   "typedef", "asm",     "operator",
       "template", "namespace", "struct",    "class",         "union",   "enum",    "friend",  "requires",
       "co_await", "co_yield",  "co_return", "static_assert", "concept", "extern",  "noexcept"});
}
bool Phrases::is_name(const Token& token) { return token.kind == Token::Kind::word && !is_keyword(token); }
bool Phrases::assigns(const Token& token) {
  return token.is_one_of({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="});
}

bool Phrases::has_directive(std::size_t i, std::size_t end) const {
  for (; i < end; ++i)
    if (t_[i].kind == Token::Kind::directive) return true;
  return false;
}

std::size_t Phrases::head(std::size_t i) const {
  while (i > 0 && !t_[i - 1].is_one_of({";", "{", "}", ":"}) && t_[i - 1].kind != Token::Kind::directive)
    i = t_[i - 1].closes() ? t_[i - 1].match : i - 1;
  return i;
}

bool Phrases::opens_namespace(std::size_t i) const {
  if (!t_[i].is("{")) return false;
  const std::size_t first = head(i);
  return t_[first].is("namespace") || (t_[first].is("inline") && t_[first + 1].is("namespace")) ||
         (t_[first].is("extern") && t_[first + 1].kind == Token::Kind::quoted && first + 2 == i);
}

std::optional<std::size_t> Phrases::body_of(std::size_t i) const {
  if (i == 0 || i + 1 >= size() || !is_name(t_[i]) || !t_[i + 1].is("(")) return {};
  const Token& before = t_[i - 1];
  if (before.is_word() ? is_keyword(before) : !before.is_one_of({">", "*", "&", "&&", "::", "]"})) return {};
  const std::size_t first = head(i);
  for (std::size_t k = first; k < i; ++k)
    if (assigns(t_[k]) && !t_[first].is("template")) return {};
  for (std::size_t k = t_[i + 1].match + 1; k < size(); k = after(k)) {
    if (t_[k].is("{")) return k;
    const bool clause = t_[k].is("requires") && k + 1 < size() && !t_[k + 1].is_one_of({"requires", "{"});
    if (!t_[k].opens() && !clause && !is_name(t_[k]) &&
        !t_[k].is_one_of({"noexcept", "->", "&", "&&", "||", "*", "::", "<", ">", ","}))
      return {};
  }
  return {};
}

std::string Phrases::result_of(std::size_t name, std::size_t body) const {
  std::size_t begin = head(name), end = name;
  for (std::size_t k = t_[name + 1].match + 1; k < body; k = after(k))
    if (t_[k].is("->")) {
      begin = k + 1;
      end = body;
    }
  // A name may be qualified: Type Class::function.
  while (end == name && end >= begin + 2 && t_[end - 1].is("::") && is_name(t_[end - 2])) end -= 2;
  if (end > begin && t_[end - 1].is("::")) return {};
  while (begin < end && t_[begin].is("template")) begin = angles_end(begin + 1, end);
  std::string type;
  for (std::size_t k = begin; k < end; ++k) {
    if (t_[k].is_one_of({"requires", "decltype", "auto"})) return {};
    if (t_[k].is("[")) {  // an attribute
      k = t_[k].match;
    } else if ((t_[k].is("__attribute__") || is_macro(t_[k])) && t_[k + 1].is("(")) {
      k = t_[k + 1].match;
    } else if (!is_macro(t_[k]) &&
               !t_[k].is_one_of({"static", "inline", "constexpr", "friend", "virtual", "explicit", "extern"})) {
      type.append(type.empty() ? "" : " ").append(t_[k].text);
    }
  }
  return type;
}

std::optional<std::vector<std::size_t>> Phrases::declared(std::size_t i, std::size_t end) const {
  i = type_end(i, end);
  if (i >= end || !is_name(t_[i])) return {};
  std::vector<std::size_t> names;
  for (bool first = true; i < end && is_name(t_[i]); first = false) {
    const std::size_t name = i++;
    if (i == end) {
      // The variable of a loop over a range.
      if (i < size() && t_[i].is(":")) names.push_back(name);
      break;
    }
    if (!t_[i].is_one_of({"=", "{", "(", ",", "["})) {
      // After a comma: it was one of arguments of a template.
      if (first) return {};
      break;
    }
    if (!t_[i].is_one_of({",", "["}) && !t_[i + 1].is("[")) names.push_back(name);
    while (i < end && !t_[i].is(",")) i = after(i);
    for (++i; i < end && t_[i].is_one_of({"*", "&", "&&", "const"});) ++i;
  }
  return names;
}

std::string Phrases::place(std::size_t i, std::size_t end) const {
  std::string text;
  int depth = 0;
  for (std::size_t k = i; k < end; ++k) {
    const Token& token = t_[k];
    const bool after_name = k > i && (t_[k - 1].is_one_of({")", "]", ">"}) || t_[k - 1].is_word());
    if (steps(token) || assigns(token) || token.is_one_of({"{", ";"}) || is_keyword(token)) return {};
    // Calls, and words that only a macro could put side by side.
    if (after_name && (token.is("(") || token.is_word())) return {};
    if (depth == 0 && token.kind != Token::Kind::word && !(token.is("*") && k == i) &&
        !token.is_one_of({".", "->", "::", "(", "[", "]", ")"}))
      return {};
    depth += int{token.opens()} - int{token.closes()};
    text.append(text.empty() ? "" : " ").append(token.text);
  }
  return text;
}

/// Where the type ends that begins at i; `end`: none does.
std::size_t Phrases::type_end(std::size_t i, std::size_t end) const {
  bool named = false, built_in = false;
  while (i < end) {
    if (is_qualifier(t_[i])) {
      ++i;
    } else if (is_built_in(t_[i]) && (!named || built_in)) {
      named = built_in = true;
      ++i;
    } else if (!named && i + 1 < end && t_[i].is("[") && t_[i + 1].is("[")) {
      i = t_[i].match + 1;
    } else if (!named && (is_name(t_[i]) || t_[i].is("::"))) {
      i = name_end(i, end);
      named = true;
    } else {
      break;
    }
  }
  if (!named) return end;
  while (i < end && t_[i].is_one_of({"*", "&", "&&", "const"})) ++i;
  return i;
}

/// A name with all that it is qualified by, and with its arguments.
std::size_t Phrases::name_end(std::size_t i, std::size_t end) const {
  if (t_[i].is("::")) ++i;
  while (i < end && (is_name(t_[i]) || t_[i].is("template"))) {
    if (t_[i].is("template") && ++i >= end) return end;
    if (++i < end && t_[i].is("<")) i = angles_end(i, end);
    if (i >= end || !t_[i].is("::")) return i;
    ++i;
  }
  return end;
}

std::size_t Phrases::angles_end(std::size_t i, std::size_t end) const {
  int depth = 0;
  for (; i < end && !t_[i].is(";"); i = after(i)) {
    depth += int{t_[i].is("<")} - int{t_[i].is(">")};
    if (depth <= 0) return i + 1;
  }
  return end;
}

}  // namespace warploom
