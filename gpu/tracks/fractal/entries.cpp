#include <algorithm>

#include "gpu/maps/fractal/list.h"
#include "gpu/tracks/fractal/entry.h"

namespace warploom::detail {

static_assert(FractalLines::size == WARPLOOM_MAP_SOURCES,
              "CMake made not as many sources as gpu/maps/fractal/list.h has lines: end each line with a comment that "
              "names its header, '// bounding_box.h', and nothing more");

namespace {
template <class... Lines>
std::vector<FractalEntry> joined(TypeList<Lines...>) {
  std::vector<FractalEntry> all;
  for (const auto& entries : {fractal_entries_of<Lines>()...}) all.insert(all.end(), entries.begin(), entries.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const FractalEntry& a, const FractalEntry& b) { return a.storage < b.storage; });
  return all;
}
}  // namespace

TrackInfo track_info(const MapInfo& map, const MapInfo* intra, const MapInfo& storage, bool first_way,
                     bool first_storage) {
  TrackInfo info;
  info.map = map.key;
  info.storage = storage.key;
  info.title = map.title;
  info.description = map.description;
  info.citation = map.citation;
  info.exact = map.exact;
  info.name = info.map;
  if (intra) {
    info.intra = intra->key;
    info.description += std::string(" \u00b7 ") + intra->title;
    if (!first_way || !first_storage) info.name += "/" + info.intra;
  }
  if (!first_storage) info.name += std::string("/") + (info.intra.empty() ? "/" : "") + info.storage;
  return info;
}

const std::vector<FractalEntry>& fractal_entries() {
  static const std::vector<FractalEntry> all = joined(FractalLines{});
  return all;
}

}  // namespace warploom::detail
