#include "gpu/scenes/simplex/tracks/entry.h"

#include "gpu/scenes/simplex/maps/list.h"

namespace warploom::detail {

static_assert(
    TriangleMaps::size + TetrahedronMaps::size == WARPLOOM_MAP_SOURCES,
    "CMake made not as many sources as gpu/scenes/simplex/maps/list.h has maps: end each map's line with a comment "
    "that names its header, '// rectangle.h', and nothing more");

namespace {
template <class... Maps>
std::vector<SimplexEntry> joined(TypeList<Maps...>) {
  return {simplex_entry<Maps>()...};
}
}  // namespace

const std::vector<SimplexEntry>& simplex_entries(int dimensions) {
  static const std::vector<SimplexEntry> flat = joined(TriangleMaps{}), solid = joined(TetrahedronMaps{});
  return dimensions == 2 ? flat : solid;
}

}  // namespace warploom::detail
