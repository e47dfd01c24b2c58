#include "gpu/tracks/simplex/simplex_track.h"

namespace warploom::detail {

const std::vector<SimplexEntry>& triangle_entries() {
  static const std::vector<SimplexEntry> all = simplex_entry_list(TriangleMaps{});
  return all;
}

}  // namespace warploom::detail
