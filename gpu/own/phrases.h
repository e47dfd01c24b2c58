#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/own/tokens.h"

namespace warploom {

/// What tokens of a C++ text stand for, as far as that can be told without knowing its names. Places are numbers of
/// tokens; an end is the one after the last.
class Phrases {
 public:
  explicit Phrases(std::string_view source) : t_(tokens_of(source)) {}

  std::size_t size() const { return t_.size(); }
  const Token& operator[](std::size_t i) const { return t_[i]; }

  /// A word that is none of the language's own; those that types begin with count as names.
  static bool is_name(const Token& token);
  static bool is_keyword(const Token& token);
  static bool assigns(const Token& token);
  static bool steps(const Token& token) { return token.is("++") || token.is("--"); }

  /// The token after this one, or after all that is in its brackets.
  std::size_t after(std::size_t i) const { return t_[i].opens() ? t_[i].match + 1 : i + 1; }
  bool has_directive(std::size_t i, std::size_t end) const;

  // ---- functions
  /// Where the head of what stands at i begins.
  std::size_t head(std::size_t i) const;
  bool opens_namespace(std::size_t i) const;
  /// The bracket that opens the body of the function whose name stands at i. None: it is called or declared there.
  std::optional<std::size_t> body_of(std::size_t i) const;
  /// What such a function returns, as its head says it; empty: the head does not say it.
  std::string result_of(std::size_t name, std::size_t body) const;

  // ---- what is set
  /// The variables that a declaration gives a value, but for lambdas and arrays. None: it is no declaration.
  std::optional<std::vector<std::size_t>> declared(std::size_t i, std::size_t end) const;
  /// A place in memory, in one line; empty: it is none, or asking for its value may do something.
  std::string place(std::size_t i, std::size_t end) const;

 private:
  std::size_t type_end(std::size_t i, std::size_t end) const;
  std::size_t name_end(std::size_t i, std::size_t end) const;
  std::size_t angles_end(std::size_t i, std::size_t end) const;

  std::vector<Token> t_;
};

}  // namespace warploom
