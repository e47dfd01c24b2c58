#include <algorithm>
#include <cctype>

#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/tracks/entry.h"

namespace warploom::detail {

static_assert(
    FractalLines::size == WARPLOOM_MAP_SOURCES,
    "CMake made not as many sources as gpu/scenes/fractal/maps/list.h has lines: end each line with a comment that "
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

namespace {
/// Of what comes to the cells, and where they are.
TrackInfo info_of(const MapInfo& what, const MapInfo& storage) {
  TrackInfo info;
  info.name = info.map = what.key;
  info.storage = storage.key;
  info.title = what.title;
  info.description = what.description;
  info.citation = what.citation;
  return info;
}
}  // namespace

TrackInfo track_info(const MapInfo& map, const MapInfo* intra, const MapInfo& storage, bool first_way,
                     bool first_storage) {
  TrackInfo info = info_of(map, storage);
  info.exact = map.exact;
  if (intra) {
    info.intra = intra->key;
    info.description += std::string(" \u00b7 ") + intra->title;
    if (!first_way || !first_storage) info.name += "/" + info.intra;
  }
  if (!first_storage) info.name += "/" + info.storage;
  return info;
}

TrackInfo whole_info(const MapInfo& what, const MapInfo& storage) {
  TrackInfo info = info_of(what, storage);
  if (std::islower(static_cast<unsigned char>(info.title[0])))
    info.title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(info.title[0])));
  return info;
}

const std::vector<FractalEntry>& fractal_entries() {
  static const std::vector<FractalEntry> all = [] {
    std::vector<FractalEntry> entries = joined(FractalLines{});
    for (const auto whole : whole_fractal_entries) {
      const auto more = whole();
      entries.insert(entries.end(), more.begin(), more.end());
    }
    return entries;
  }();
  return all;
}

}  // namespace warploom::detail
