#include "gpu/scenes/simplex/own/sources.h"

#include <memory>
#include <utility>

#include "gpu/own/kit.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/simplex/own/seen_maps.h"
#include "gpu/scenes/simplex/works/list.h"

namespace warploom::detail {

namespace {
std::vector<std::string_view> files_of(const std::string& map) {
  auto files = kit_files_of("gpu/scenes/simplex/maps/", map);
  // The placing says most: it comes first, and what every map is made of after it.
  if (files.size() > 1) std::swap(files[0], files[1]);
  files.emplace_back("gpu/scenes/simplex/maps/domain.h");
  return files;
}

template <int Dimensions>
std::vector<SourceFile> work_sources(const std::string& work) {
  std::vector<SourceFile> sources;
  for_each_type(SimplexWorks<Dimensions>{}, [&]<class Work>() {
    if (Work::info.key == work) sources = kit_sources(kit_files_of("gpu/scenes/simplex/works/", type_name<Work>()));
  });
  return sources;
}
}  // namespace

std::vector<SourceFile> simplex_map_sources(const std::string& map) { return kit_sources(files_of(map)); }

std::vector<SourceFile> simplex_work_sources(int dimensions, const std::string& work) {
  return dimensions == 2 ? work_sources<2>(work) : work_sources<3>(work);
}

template <int Dimensions>
std::optional<SourceValues> simplex_map_values(const std::string& map, const SimplexDomain<Dimensions>& domain,
                                               const CellShares& shares, const std::uint32_t* table, const Owner& who) {
  const auto notes = std::make_unique<own::SeenNotes>();
  Target target;
  if (!see_simplex_map<Dimensions>(map, domain, shares, table, {who.launch, who.turn, who.block, who.thread}, who.item,
                                   *notes, target))
    return std::nullopt;
  return values_of(*notes, seen_simplex_files(), files_of(map));
}
template std::optional<SourceValues> simplex_map_values<2>(const std::string&, const SimplexDomain<2>&,
                                                           const CellShares&, const std::uint32_t*, const Owner&);
template std::optional<SourceValues> simplex_map_values<3>(const std::string&, const SimplexDomain<3>&,
                                                           const CellShares&, const std::uint32_t*, const Owner&);

}  // namespace warploom::detail
