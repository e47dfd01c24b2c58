#include "gpu/scenes/fractal/own/sources.h"

#include <memory>
#include <utility>

#include "gpu/own/kit.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/own/seen_maps.h"
#include "gpu/scenes/fractal/works/list.h"

namespace warploom::detail {

namespace {
std::vector<std::string_view> files_of(const std::string& map) {
  auto files = kit_files_of("gpu/scenes/fractal/maps/", map);
  // How a map computes lambda says most; what all such maps share comes after it.
  if (files.size() > 1 && (files[0].ends_with("/lambda_map.h") || files[0].ends_with("/tensor_map.h")))
    std::swap(files[0], files[1]);
  files.emplace_back("gpu/scenes/fractal/maps/domain.h");
  return files;
}
}  // namespace

std::vector<SourceFile> fractal_map_sources(const std::string& map) { return kit_sources(files_of(map)); }

std::vector<SourceFile> fractal_work_sources(const std::string& work) {
  std::vector<SourceFile> sources;
  for_each_type(FractalWorks{}, [&]<class Work>() {
    if (Work::info.key == work) sources = kit_sources(kit_files_of("gpu/scenes/fractal/works/", type_name<Work>()));
  });
  return sources;
}

std::optional<SourceValues> fractal_map_values(const std::string& map, const FractalDomain& domain, int block_digits,
                                               const std::uint32_t* tables, const Owner& who) {
  const auto notes = std::make_unique<own::SeenNotes>();
  Target target;
  if (!see_fractal_map(map, domain, block_digits, tables, {who.launch, who.turn, who.block, who.thread}, *notes,
                       target))
    return std::nullopt;
  return values_of(*notes, seen_fractal_files(), files_of(map));
}

}  // namespace warploom::detail
