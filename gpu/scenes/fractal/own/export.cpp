#include "gpu/scenes/fractal/own/export.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/own/kit.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/works/list.h"

namespace warploom {

ExportParts detail::export_fractal(const FractalSettings& settings, const TrackInfo& track, const std::string& storage,
                                   const std::string& map) {
  if (names_own(settings.work))
    throw UsageError("track '" + track.name + "' runs a rule of yours; only built-in works are taken home so far");
  std::string work;
  for_each_type(FractalWorks{}, [&]<class Work>() {
    if (Work::info.key == settings.work) work = type_name<Work>();
  });
  const bool own = names_own(track.name);
  ExportParts parts;
  parts.headers = {"gpu/core/run_blocks.h", "gpu/core/hash.h", "gpu/core/mersenne.h",
                   "gpu/scenes/fractal/maps/domain.cpp"};
  add_kit_files(parts.headers, "gpu/scenes/fractal/works/", storage);
  parts.headers.emplace_back(own ? "gpu/scenes/fractal/own/placed.h" : "gpu/scenes/fractal/own/mapped.h");
  add_kit_files(parts.headers, "gpu/scenes/fractal/maps/", map);
  if (std::ranges::count(parts.headers, "gpu/scenes/fractal/maps/tensor_map.h"))
    parts.headers.emplace_back("gpu/core/product.cpp");
  add_kit_files(parts.headers, "gpu/scenes/fractal/works/", work);
  std::string rows;
  for (const auto& row : settings.mask.rows) rows += fmt::format("{}\"{}\"", rows.empty() ? "" : ", ", row);
  parts.constants = fmt::format(
      "inline const Mask mask{{\"mask\", \"\", \"\", \"\", {{{}}}, {{}}}};\n"
      "inline constexpr int level = {}, block_digits = {};\n"
      "inline constexpr Rule rule{{{}, {}}};\n",
      rows, settings.level, settings.block_digits, settings.rule.born, settings.rule.survive);
  parts.end = "gpu/scenes/fractal/own/export.inc";
  if (own) parts.text = find_own(track.name);
  parts.run = fmt::format("using TheRun = Run<{}, {}<{}, {}, {}>, &{}::serial>;\n", storage,
                          own ? "OwnTrack" : "BuiltInTrack", storage, map, work, work);
  return parts;
}

}  // namespace warploom
