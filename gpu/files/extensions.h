#pragma once
#include <string>
#include <vector>

#include "gpu/core/format.h"

namespace warploom {

/// The extensions of a table of readers, in its order: ".npy", ".rle".
template <class Reader>
std::vector<std::string> extensions_of(const std::vector<Reader>& readers) {
  return texts_of(readers, &Reader::extension);
}

}  // namespace warploom
