#include "gpu/scenes/simplex/tracks/entry.h"

#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/scenes/simplex/works/list.h"

namespace warploom::detail {

static_assert(TriangleMaps::size + TetrahedronMaps::size == WARPLOOM_MAP_SOURCES &&
                  TriangleWorks::size + TetrahedronWorks::size == WARPLOOM_WORK_SOURCES,
              "CMake did not make as many sources as maps/list.h and works/list.h have lines: end each line with a "
              "comment that names its header, '// rectangle.h', and nothing more");

namespace {
template <class... Maps>
std::vector<SimplexEntry> joined(TypeList<Maps...>) {
  return {simplex_entry<Maps>()...};
}
template <int Dimensions, class... Works>
std::vector<CoarseEntry> joined_coarse(TypeList<Works...>) {
  std::vector<CoarseEntry> all;
  const auto add = [&](const std::vector<CoarseEntry>& more) { all.insert(all.end(), more.begin(), more.end()); };
  (add(coarse_entries_of<Dimensions, Works>()), ...);
  return all;
}
}  // namespace

const std::vector<SimplexEntry>& simplex_entries(int dimensions) {
  static const std::vector<SimplexEntry> flat = joined(TriangleMaps{}), solid = joined(TetrahedronMaps{});
  return dimensions == 2 ? flat : solid;
}

const std::vector<CoarseEntry>& coarse_entries(int dimensions) {
  static const auto flat = joined_coarse<2>(TriangleWorks{}), solid = joined_coarse<3>(TetrahedronWorks{});
  return dimensions == 2 ? flat : solid;
}

}  // namespace warploom::detail
