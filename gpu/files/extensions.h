#pragma once
#include <string>
#include <vector>

namespace warploom {

/// The extensions of a table of readers, in its order: ".npy", ".rle".
template <class Reader>
std::vector<std::string> extensions_of(const std::vector<Reader>& readers) {
  std::vector<std::string> all;
  for (const auto& reader : readers) all.push_back(reader.extension);
  return all;
}

}  // namespace warploom
