#include "gpu/tracks/facets/accesses.h"

#include <algorithm>

namespace warploom {

std::uint64_t WarpAccess::distinct(std::uint64_t size) const {
  std::vector<std::uint64_t> seen;
  for (const auto& byte : bytes)
    if (byte) seen.push_back(*byte / size);
  std::sort(seen.begin(), seen.end());
  return static_cast<std::uint64_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace warploom
