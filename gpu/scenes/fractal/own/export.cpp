#include "gpu/scenes/fractal/own/export.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/own/kit.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/works/list.h"

namespace warploom {

namespace {

/// What a map of this type looks up, or a way inside a block; and where in it the part of the way inside begins.
std::pair<MapTable, std::ptrdiff_t> fractal_table(const FractalSettings& settings, const std::string& map) {
  const FractalDomain domain(settings.mask, settings.level);
  std::pair<MapTable, std::ptrdiff_t> found;
  MapTable& table = found.first;
  std::ptrdiff_t& inside = found.second;
  for_each_type(FractalIntraWays{}, [&]<class Intra>() {
    if (type_name<Intra>() == map) table = Intra::table(domain, settings.block_digits);
  });
  for_each_type(FractalMaps{}, [&]<class Map>() {
    if (type_name<Map>() != map) return;
    table = Map::table(domain, settings.block_digits);
    if constexpr (requires(Map one) { one.placing_table; })
      if (!table.empty()) {
        const Map one(domain, settings.block_digits, table.data());
        inside = one.intra_table - one.placing_table;
      }
  });
  return found;
}

}  // namespace

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
  parts.host_headers = {"gpu/core/run_blocks.h", "gpu/core/hash.h", "gpu/core/mersenne.h",
                        "gpu/scenes/fractal/maps/domain.cpp"};
  add_kit_files(parts.headers, "gpu/scenes/fractal/works/", storage);
  parts.headers.emplace_back(own ? "gpu/scenes/fractal/own/placed.h" : "gpu/scenes/fractal/own/mapped.h");
  add_kit_files(parts.headers, "gpu/scenes/fractal/maps/", map);
  parts.products = std::ranges::count(parts.headers, "gpu/scenes/fractal/maps/tensor_map.h") > 0;
  if (parts.products) parts.host_headers.emplace_back("gpu/core/product.cpp");
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
  parts.track = fmt::format("using Track = {}<{}, {}, {}>;\n", own ? "OwnTrack" : "BuiltInTrack", storage, map, work);
  const std::string folder = "gpu/scenes/fractal/own/";
  parts.python = {fmt::format("{}work_{}.py", folder, settings.work), folder + "export.py",
                  fmt::format("{}storage_{}.py", folder, track.storage)};
  const auto [table, inside] = fractal_table(settings, map);
  parts.table = table;
  parts.settings = fmt::format(
      "mask = [{}]\n"
      "level, block_digits = {}, {}\n"
      "born, survive = {:#b}, {:#b}  # bit i: for i live neighbours\n"
      "intra_first = {}  # where in its table begins what places the threads of a block\n"
      "sum_words = {}\n",
      rows, settings.level, settings.block_digits, settings.rule.born, settings.rule.survive, inside,
      SumSlots::slots * SumSlots::words_apart);
  return parts;
}

}  // namespace warploom
