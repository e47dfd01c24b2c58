#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/core/cpu_group.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/program.h"
#include "gpu/scenes/simplex/maps/domain.h"
#include "gpu/scenes/simplex/maps/root_exact.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/scenes/simplex/tracks/coarse_entry.h"
#include "gpu/scenes/simplex/tracks/entry.h"
#include "gpu/scenes/simplex/works/list.h"

namespace warploom {

const std::vector<SimplexKind>& simplex_kinds() {
  static const std::vector<SimplexKind> all{
      {"triangle", "Triangle", "0 \u2264 x \u2264 y < n: n(n+1)/2 cells", 2, false, 32},
      {"tetrahedron", "Tetrahedron", "stacked, 0 \u2264 x \u2264 y \u2264 z < n: n(n+1)(n+2)/6 cells", 3, false, 10},
      {"tetrahedron_corner", "Tetrahedron, corner", "x + y + z < n: n(n+1)(n+2)/6 cells", 3, true, 10}};
  return all;
}

const SimplexKind& find_simplex_kind(const std::string& key) {
  for (const auto& kind : simplex_kinds())
    if (kind.key == key) return kind;
  std::vector<std::string> known;
  for (const auto& kind : simplex_kinds()) known.emplace_back(kind.key);
  throw UsageError(unknown_message("domain", key, known));
}

namespace {

template <int Dimensions>
std::vector<SimplexWork> works_of() {
  std::vector<SimplexWork> all;
  for_each_type(SimplexWorks<Dimensions>{}, [&]<class Work>() {
    using Value = typename Work::template Value<Dimensions>;
    SimplexWork work;
    work.key = Work::info.key;
    work.title = Work::info.title;
    work.description = Work::info.description;
    work.citation = Work::info.citation;
    work.reads_state = Work::info.reads_state;
    work.cells_live = work.reads_state && std::is_same_v<Value, std::uint8_t>;
    work.per_block = Work::info.per_block;
    if (Work::info.more_points != no_points) work.more_points = Work::info.more_points;
    if (Work::info.odd) work.odd = Work::info.odd;
    work.value_bytes = sizeof(Value);
    work.kind_real = std::is_same_v<Value, float>;
    work.bytes_per_cell = Work::info.bytes_per_cell;
    using Storage = SimplexStorage<LinearLayout<Dimensions>, Value>;
    work.under_inexact_maps = Work::info.under_inexact_maps;
    work.shared_bytes = shared_bytes_of<SharedBy<typename Work::template At<Dimensions, Storage>, CpuGroup>>;
    all.push_back(work);
  });
  return all;
}

/// Of all maps under all layouts; `compiled`: without those that are compiled for no work.
std::vector<TrackInfo> tracks_of(int dimensions, bool compiled) {
  std::vector<TrackInfo> infos;
  bool first = true;
  const auto add = [&]<class Layout>() {
    for (const auto& entry : detail::simplex_entries(dimensions)) {
      if (compiled && !entry.compiles_all && requires { requires Layout::mostly_empty; }) continue;
      TrackInfo info;
      info.map = entry.map.key;
      info.layout = Layout::info.key;
      info.title = entry.map.title;
      info.description = entry.map.description;
      info.citation = entry.map.citation;
      info.exact = entry.map.exact;
      info.name = first ? info.map : info.map + "/" + info.layout;
      infos.push_back(info);
    }
    first = false;
  };
  if (dimensions == 2)
    for_each_type(SimplexLayouts<2>{}, add);
  else
    for_each_type(SimplexLayouts<3>{}, add);
  return infos;
}

}  // namespace

const std::vector<SimplexWork>& simplex_works(int dimensions) {
  static const std::vector<SimplexWork> flat = works_of<2>(), solid = works_of<3>();
  return dimensions == 2 ? flat : solid;
}

const SimplexWork& find_simplex_work(const SimplexKind& kind, const std::string& key) {
  for (const auto& work : simplex_works(kind.dimensions))
    if (work.key == key) return work;
  std::vector<std::string> known;
  for (const auto& work : simplex_works(kind.dimensions)) known.push_back(work.key);
  for (const auto& work : simplex_works(5 - kind.dimensions))
    if (work.key == key)
      throw UsageError("work '" + key + "' is not for the domain '" + kind.key + "': it needs " +
                       (kind.dimensions == 2 ? "tetrahedron or tetrahedron_corner" : "triangle") +
                       " (works here: " + join(known) + ")");
  throw UsageError(unknown_message("work", key, known));
}

const std::vector<TrackInfo>& simplex_tracks(int dimensions) {
  static const std::vector<TrackInfo> flat = tracks_of(2, true), solid = tracks_of(3, true);
  return dimensions == 2 ? flat : solid;
}

namespace {

/// Compiled or not.
const std::vector<TrackInfo>& known_simplex_tracks(int dimensions) {
  static const std::vector<TrackInfo> flat = tracks_of(2, false), solid = tracks_of(3, false);
  return dimensions == 2 ? flat : solid;
}

const detail::SimplexEntry& entry_of(int dimensions, const TrackInfo& track) {
  for (const auto& entry : detail::simplex_entries(dimensions))
    if (entry.map.key == track.map) return entry;
  throw Error("map '" + track.map + "' is listed but cannot be made");
}

}  // namespace

const TrackInfo& compiled_simplex_track(int dimensions, const TrackInfo& track, const std::string& work) {
  const auto& works = simplex_works(dimensions);
  const auto at = std::find_if(works.begin(), works.end(), [&](const SimplexWork& one) { return one.key == work; });
  const bool needs_exact =
      !entry_of(dimensions, track).compiles_every_work && at != works.end() && !at->under_inexact_maps;
  const std::string& map = needs_exact ? std::string(ExactRoot::info.key) : track.map;
  for (const auto& one : simplex_tracks(dimensions))
    if (one.map == map && one.layout == track.layout) return one;
  for (const auto& one : simplex_tracks(dimensions))
    if (one.map == map) return one;
  throw Error("track '" + track.name + "' is listed but not compiled");
}

const std::vector<TrackInfo>& simplex_tracks(int dimensions, const std::string& work) {
  static const auto by_work = [] {
    std::map<std::pair<int, std::string>, std::vector<TrackInfo>> all;
    for (const int d : {2, 3})
      for (const auto& one : simplex_works(d))
        for (const auto& track : simplex_tracks(d))
          if (compiled_simplex_track(d, track, one.key).name == track.name) all[{d, one.key}].push_back(track);
    return all;
  }();
  const auto found = by_work.find({dimensions, work});
  return found == by_work.end() ? simplex_tracks(dimensions) : found->second;
}

bool compiles_all_shapes(int dimensions, const TrackInfo& track) { return entry_of(dimensions, track).compiles_all; }

const TrackInfo& find_simplex_track(int dimensions, const std::string& name) {
  const auto slash = name.find('/');
  const std::string map = name.substr(0, slash),
                    layout = slash == std::string::npos ? LinearLayout<2>::info.key : name.substr(slash + 1);
  std::vector<std::string> known, full;
  for (const auto& track : known_simplex_tracks(dimensions)) {
    if (track.map == map && track.layout == layout) return track;
    if (track.layout == LinearLayout<2>::info.key) known.push_back(track.map);
    full.push_back(track.name);
    full.push_back(track.map + "/" + track.layout);
  }
  std::vector<std::string> layouts;
  for_each_type(SimplexLayouts<2>{}, [&]<class Layout>() { layouts.emplace_back(Layout::info.key); });
  throw UsageError("unknown track '" + name + "'" + (dimensions == 2 ? " of a triangle" : " of a tetrahedron") +
                   "; did you mean '" + nearest(name, full) + "'? (known: " + join(known) +
                   ", each with /LAYOUT: " + join(layouts) + ")");
}

double simplex_layout_elements(const SimplexSettings& settings, const std::string& layout) {
  double elements = 0;
  const auto of = [&]<class Layout>() {
    if (layout == Layout::info.key) elements = Layout::elements({settings.n, settings.rho, settings.kind->corner});
  };
  if (settings.kind->dimensions == 2)
    for_each_type(SimplexLayouts<2>{}, of);
  else
    for_each_type(SimplexLayouts<3>{}, of);
  return elements;
}

double simplex_launched(int dimensions, const std::string& map, std::uint32_t n, std::uint32_t rho) {
  for (const auto& entry : detail::simplex_entries(dimensions))
    if (entry.map.key == map) return static_cast<double>(entry.launched(n, rho));
  return 0;
}

double simplex_track_bytes(const SimplexSettings& settings, const std::string& track) {
  const int dimensions = settings.kind->dimensions;
  const TrackInfo& info = find_simplex_track(dimensions, track);
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  const double blocks =
      dimensions == 2 ? simplex_number_real<2>(settings.blocks()) : simplex_number_real<3>(settings.blocks());
  const double elements = work.key == "map_only" ? 0
                          : work.per_block       ? blocks
                                                 : simplex_layout_elements(settings, info.layout);
  const double visits =
      simplex_launched(dimensions, info.map, settings.n, settings.rho) / std::pow(settings.rho, dimensions);
  double table = 0;
  for (const auto& entry : detail::simplex_entries(dimensions))
    if (entry.map.key == info.map) table = entry.table_bytes(settings.n, settings.rho);
  // States; six bytes a visit and four a block for pictures; the map's table.
  const double pictured = visits <= double(1u << 28) ? 6 * visits + 4 * blocks : 0;
  return elements * work.value_bytes * (work.reads_state ? 2 : 1) + pictured + table;
}

namespace {

/// Whether kernels whose threads serve several cells would have to tell a neighbour in memory by more than 32 bits:
/// where they read neighbours, and blocks lie one after the other. The farthest is a layer away, in the corner
/// tetrahedron, whose neighbour in x, y and z together lies three layers further, three.
bool neighbours_too_far(const SimplexSettings& settings, const std::vector<std::string>& tracks) {
  const int dimensions = settings.kind->dimensions;
  if (!find_simplex_work(*settings.kind, settings.work).reads_state) return false;
  const double side = settings.blocks(), layer = dimensions == 3 ? side * (side + 1) / 2 : side,
               layers = settings.kind->corner ? 3 : 1;
  if (layers * layer * std::pow(settings.rho, dimensions) < 2147483648.) return false;
  return std::any_of(tracks.begin(), tracks.end(), [&](const std::string& track) {
    const TrackInfo& info = find_simplex_track(dimensions, track);
    const auto* entry = detail::find_coarse(settings, info, simplex_shares(settings, info));
    return entry && !entry->rows_together;
  });
}

}  // namespace

void check_simplex(Backend backend, const SimplexSettings& settings, const std::vector<std::string>& tracks,
                   std::uint64_t bytes_to_be_released) {
  const int dimensions = settings.kind->dimensions;
  double needed = 0;
  for (const auto& track : tracks) {
    needed += simplex_track_bytes(settings, track);
    const TrackInfo& info = find_simplex_track(dimensions, track);
    for (const auto& entry : detail::simplex_entries(dimensions))
      if (entry.map.key == info.map && settings.blocks() > entry.map.exact_up_to)
        throw UsageError("map '" + info.map + "' is right up to " + grouped(entry.map.exact_up_to) +
                         " blocks per side; n = " + std::to_string(settings.n) + " at block " +
                         std::to_string(settings.rho) + " has " + grouped(settings.blocks()));
  }
  if (neighbours_too_far(settings, tracks))
    throw UsageError("n " + std::to_string(settings.n) + ": with several cells per thread blocks of " +
                     std::to_string(settings.rho) + " lie too far apart in memory; choose coarsen 1 or a smaller n");
  const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(bytes_to_be_released);
  // A tenth is left to the pictures, the driver and everybody else.
  if (needed > .9 * available)
    throw UsageError("n " + std::to_string(settings.n) + ": " + std::to_string(tracks.size()) +
                     (tracks.size() == 1 ? " track needs " : " tracks need ") + bytes_text(needed) + " (" +
                     grouped(static_cast<unsigned long long>(std::min(needed, 1.8e19))) + " bytes) of " +
                     std::string(name(backend)) + " memory, " + bytes_text(available) + " (" +
                     grouped(static_cast<unsigned long long>(available)) +
                     " bytes) are free; choose a smaller n, a larger block or fewer tracks");
}

std::unique_ptr<Track> make_simplex_track(Queue& queue, const SimplexSettings& settings, const std::string& name) {
  const TrackInfo& wanted = find_simplex_track(settings.kind->dimensions, name);
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  if (const auto& runs = compiled_simplex_track(settings.kind->dimensions, wanted, work.key); runs.name != wanted.name)
    throw UsageError("track '" + wanted.name + "' is not compiled for work '" + work.key + "'; the nearest that is: '" +
                     runs.name + "'");
  const std::uint64_t needed = work.more_points ? std::uint64_t{settings.n} + *work.more_points : 0;
  if (needed && (!settings.points || settings.points->count() < needed))
    throw UsageError("points: " + std::to_string(settings.points ? settings.points->count() : 0) +
                     " points are there, '" + work.key + "' with n = " + std::to_string(settings.n) + " needs " +
                     std::to_string(needed));
  if (settings.points && settings.points->dimensions != settings.kind->dimensions)
    throw UsageError("points: they are in " + std::to_string(settings.points->dimensions) +
                     " dimensions, the domain '" + settings.kind->key + "' is in " +
                     std::to_string(settings.kind->dimensions));
  return entry_of(settings.kind->dimensions, wanted).make(queue, settings, wanted);
}

bool tells_shares(const std::string& number) { return number.starts_with("coarsen_") || number == "gang"; }

std::uint64_t blocked_padding(const SimplexSettings& settings) {
  const std::uint64_t n = settings.n, blocks = settings.blocks(), rho = settings.rho;
  return settings.kind->dimensions == 2 ? triangle_number(blocks) * rho * rho - triangle_number(n)
                                        : tetrahedron_number(blocks) * rho * rho * rho - tetrahedron_number(n);
}

AlignedShares aligned_shares(double n, double k) {
  AlignedShares shares;
  shares.published = 1 / (2 * k) + 1 / n;
  shares.exact = 1 / k;
  const auto cost = [&](double share) { return (2 - std::min(1., share)) / k; };
  shares.cost_published = cost(shares.published);
  shares.cost_exact = cost(shares.exact);
  return shares;
}

}  // namespace warploom
