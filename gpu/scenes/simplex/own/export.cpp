#include "gpu/scenes/simplex/own/export.h"

#include <fmt/format.h>

#include "gpu/core/error.h"
#include "gpu/own/kit.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/scenes/simplex/works/list.h"

namespace warploom {

namespace {

/// The types of a work and of a layout.
template <int Dimensions>
std::pair<std::string, std::string> types_of(const SimplexSettings& settings, const TrackInfo& track) {
  std::pair<std::string, std::string> types;
  for_each_type(SimplexWorks<Dimensions>{}, [&]<class Work>() {
    if (Work::info.key == settings.work) types.first = type_name<Work>();
  });
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    if (Layout::info.key == track.layout) types.second = type_name<Layout>();
  });
  return types;
}

/// What a map of this type looks up.
template <int Dimensions>
MapTable simplex_table(const SimplexSettings& settings, const std::string& map) {
  MapTable table;
  for_each_type(SimplexMaps<Dimensions>{}, [&]<class Map>() {
    if (type_name<Map>() == map)
      table = Map::table(SimplexDomain<Dimensions>(settings.n, settings.rho, settings.kind->corner));
  });
  return table;
}

}  // namespace

ExportParts detail::export_simplex(const SimplexSettings& settings, const TrackInfo& track, const std::string& map) {
  if (names_own(settings.work))
    throw UsageError("track '" + track.name + "' runs a rule of yours; only built-in works are taken home so far");
  const CellShares shares = simplex_shares(settings, track);
  if (!(shares.box == ThreadBox{}) || shares.gang > 1)
    throw UsageError("track '" + track.name +
                     "': only threads of one cell are taken home so far, in blocks that are not joined; add --set "
                     "coarsen=1 --set gang=1");
  const SimplexWork& about = find_simplex_work(*settings.kind, settings.work);
  const int dimensions = settings.kind->dimensions;
  const auto [work, layout] = dimensions == 2 ? types_of<2>(settings, track) : types_of<3>(settings, track);
  const bool own = names_own(track.name);
  ExportParts parts;
  parts.host_headers = {"gpu/core/run_blocks.h", "gpu/core/hash.h"};
  parts.headers.emplace_back(own ? "gpu/scenes/simplex/own/placed.h" : "gpu/scenes/simplex/own/mapped.h");
  add_kit_files(parts.headers, "gpu/scenes/simplex/maps/", map);
  add_kit_files(parts.headers, "gpu/scenes/simplex/works/", work);
  const std::uint64_t count = about.more_points ? std::uint64_t{settings.n} + *about.more_points : 0;
  parts.constants = fmt::format(
      "inline constexpr int dimensions = {};\n"
      "inline constexpr std::uint32_t n = {}, rho = {};\n"
      "inline constexpr bool corner = {};\n"
      "inline constexpr Rule rule{{{}, {}}};\n"
      "inline constexpr std::size_t point_count = {};\n",
      dimensions, settings.n, settings.rho, settings.kind->corner, settings.rule.born, settings.rule.survive, count);
  if (count && settings.points && settings.points->name != "random") {
    const auto& all = settings.points->coordinates;
    parts.points_row = static_cast<std::uint64_t>(dimensions);
    parts.points.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count * parts.points_row));
  }
  parts.end = "gpu/scenes/simplex/own/export.inc";
  if (own) parts.text = find_own(track.name);
  parts.run = own ? fmt::format("using TheRun = Run<OwnTrack<{}, {}>>;\n", layout, work)
                  : fmt::format("using TheRun = Run<BuiltInTrack<{}, {}, {}>>;\n", layout, map, work);
  parts.track = own ? fmt::format("using Track = OwnTrack<{}, {}, {}>;\n", dimensions, layout, work)
                    : fmt::format("using Track = BuiltInTrack<{}, {}, {}>;\n", layout, map, work);
  // As LayoutOfWork has it.
  const bool any_layout = about.per_block || about.key == std::string(SimplexMapOnly::info.key);
  const std::string folder = "gpu/scenes/simplex/own/";
  parts.python = {fmt::format("{}work_{}.py", folder, settings.work), folder + "export.py",
                  fmt::format("{}layout_{}.py", folder, any_layout ? "linear" : track.layout)};
  parts.table = dimensions == 2 ? simplex_table<2>(settings, map) : simplex_table<3>(settings, map);
  parts.settings = fmt::format(
      "dimensions, corner = {}, {}\n"
      "n, rho = {}, {}\n"
      "born, survive = {:#b}, {:#b}  # bit i: for i live neighbours\n"
      "point_count = {}\n"
      "intra_first = 0\n"
      "sum_words = {}\n",
      dimensions, settings.kind->corner ? "True" : "False", settings.n, settings.rho, settings.rule.born,
      settings.rule.survive, count, SumSlots::slots * SumSlots::words_apart);
  return parts;
}

}  // namespace warploom
