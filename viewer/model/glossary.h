#pragma once
#include <string>
#include <vector>

#include "viewer/model/scene_parts.h"

namespace warploom {

/// The terms of every scene and of the base, by name.
const std::vector<Term>& glossary();
/// What a word means; empty: the glossary does not have it. Tooltips are made of it, so that a word means the same
/// everywhere.
const std::string& meaning(const std::string& word);

}  // namespace warploom
