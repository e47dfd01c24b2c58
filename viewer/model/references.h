#pragma once
#include <string>

namespace warploom {

/// What a key of gpu/REFERENCES.md stands for: authors, title, year. The key itself where the list is not found, or
/// does not have it.
std::string citation_text(const std::string& key);

}  // namespace warploom
