#include "gpu/scenes/simplex/tracks/coarse_entry.h"
#include "gpu/scenes/simplex/works/list.h"

namespace warploom::detail {

static_assert(
    TriangleWorks::size + TetrahedronWorks::size == WARPLOOM_WORK_SOURCES,
    "CMake made not as many sources as gpu/scenes/simplex/works/list.h has works: end each work's line with a "
    "comment that names its header, '// stencil.h', and nothing more");

namespace {
template <int Dimensions, class... Works>
std::vector<CoarseEntry> joined(TypeList<Works...>) {
  std::vector<CoarseEntry> all;
  const auto add = [&](const std::vector<CoarseEntry>& more) { all.insert(all.end(), more.begin(), more.end()); };
  (add(coarse_entries_of<Dimensions, Works>()), ...);
  return all;
}
}  // namespace

const std::vector<CoarseEntry>& coarse_entries(int dimensions) {
  static const std::vector<CoarseEntry> flat = joined<2>(TriangleWorks{}), solid = joined<3>(TetrahedronWorks{});
  return dimensions == 2 ? flat : solid;
}

}  // namespace warploom::detail
