#include "gpu/tracks/simplex/simplex_track.h"

namespace warploom::detail {

const std::vector<SimplexEntry>& tetrahedron_entries() {
  static const std::vector<SimplexEntry> all = simplex_entry_list(TetrahedronMaps{});
  return all;
}

}  // namespace warploom::detail
