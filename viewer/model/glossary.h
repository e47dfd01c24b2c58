#pragma once
#include <string>
#include <vector>

namespace warploom {

/// A word on screen, in plain words.
struct Term {
  const char *word, *text;
};

/// All of them, by name.
const std::vector<Term>& glossary();
/// What a word means; empty: the glossary does not have it. Tooltips are made of it, so that a word means the same
/// everywhere.
const std::string& meaning(const std::string& word);

}  // namespace warploom
