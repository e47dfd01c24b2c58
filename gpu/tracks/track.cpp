#include "gpu/tracks/track.h"

namespace warploom {

std::optional<Owner> Track::on_board(Index3 at) const {
  const Index3 blocks = board();
  if (at.x >= blocks.x || at.y >= blocks.y || at.z >= blocks.z) return std::nullopt;
  return Owner{0, at, 0, {}};
}

}  // namespace warploom
