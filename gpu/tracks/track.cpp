#include "gpu/tracks/track.h"

#include <algorithm>

namespace warploom {

std::uint64_t WarpAccess::distinct(std::uint64_t size) const {
  std::vector<std::uint64_t> seen;
  for (const auto& byte : bytes)
    if (byte) seen.push_back(*byte / size);
  std::sort(seen.begin(), seen.end());
  return static_cast<std::uint64_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

std::optional<Owner> Track::on_board(Index3 at) const {
  const Index3 blocks = board();
  if (at.x >= blocks.x || at.y >= blocks.y || at.z >= blocks.z) return std::nullopt;
  return Owner{0, at, 0, {}};
}

}  // namespace warploom
