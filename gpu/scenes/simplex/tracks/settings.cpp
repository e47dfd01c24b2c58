#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "gpu/core/cpu_group.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/program.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/maps/domain.h"
#include "gpu/scenes/simplex/maps/root_exact.h"
#include "gpu/scenes/simplex/own/own_map.h"
#include "gpu/scenes/simplex/simplex.h"
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
  throw UsageError(unknown_message("domain", key, texts_of(simplex_kinds(), &SimplexKind::key)));
}

namespace {

template <int Dimensions>
std::vector<SimplexWork> works_of() {
  std::vector<SimplexWork> all;
  for_each_type(SimplexWorks<Dimensions>{}, [&]<class Work>() {
    using Value = typename Work::template Value<Dimensions>;
    using At = typename Work::template At<Dimensions, SimplexStorage<LinearLayout<Dimensions>, Value>>;
    const SimplexWorkInfo& info = Work::info;
    all.push_back({.key = info.key,
                   .title = info.title,
                   .description = info.description,
                   .citation = info.citation,
                   .cells_live = info.reads_state && std::is_same_v<Value, std::uint8_t>,
                   .reads_state = info.reads_state,
                   .per_block = info.per_block,
                   .more_points = info.more_points == no_points ? std::nullopt : std::optional(info.more_points),
                   .odd = info.odd ? info.odd : "",
                   .value_bytes = sizeof(Value),
                   .kind_real = std::is_same_v<Value, float>,
                   .bytes_per_cell = info.bytes_per_cell,
                   .shared_bytes = shared_bytes_of<SharedBy<At, CpuGroup>>,
                   .under_inexact_maps = info.under_inexact_maps});
  });
  return all;
}

/// All maps under all layouts; `compiled`: without those that are compiled for no work.
std::vector<TrackInfo> tracks_of(int dimensions, bool compiled) {
  std::vector<TrackInfo> infos;
  // Layouts have the same names in both dimensions.
  for_each_type(SimplexLayouts<2>{}, [&]<class Layout>() {
    const bool first = infos.empty();
    for (const auto& entry : detail::simplex_entries(dimensions)) {
      if (compiled && !entry.compiles_all && requires { requires Layout::mostly_empty; }) continue;
      const MapInfo& map = entry.map;
      const std::string layout = Layout::info.key, name = first ? map.key : map.key + ("/" + layout);
      infos.push_back({name, map.key, "", "", layout, map.title, map.description, map.citation, map.exact});
    }
  });
  return infos;
}

}  // namespace

const std::vector<SimplexWork>& simplex_works(int dimensions) {
  static const std::vector<SimplexWork> flat = works_of<2>(), solid = works_of<3>();
  return dimensions == 2 ? flat : solid;
}

const SimplexWork* simplex_work_of(int dimensions, const std::string& key) {
  if (names_own(key)) {
    (void)find_own(key);  // throws
    static std::mutex mutex;
    static std::map<std::string, SimplexWork> rules;
    const std::lock_guard lock(mutex);
    SimplexWork& rule = rules[key];
    if (!rule.key.empty()) return &rule;  // others read it
    rule.key = rule.title = key;
    rule.description = "a cell's next state by your rule";
    rule.cells_live = rule.reads_state = true;
    rule.bytes_per_cell = 2;
    return &rule;
  }
  const auto& works = simplex_works(dimensions);
  const auto at = std::find_if(works.begin(), works.end(), [&](const SimplexWork& one) { return one.key == key; });
  return at == works.end() ? nullptr : &*at;
}

const SimplexWork& find_simplex_work(const SimplexKind& kind, const std::string& key) {
  if (const SimplexWork* work = simplex_work_of(kind.dimensions, key)) return *work;
  const auto known = texts_of(simplex_works(kind.dimensions), &SimplexWork::key);
  if (simplex_work_of(5 - kind.dimensions, key))
    throw UsageError(fmt::format("work '{}' is not for the domain '{}': it needs {} (works here: {})", key, kind.key,
                                 kind.dimensions == 2 ? "tetrahedron or tetrahedron_corner" : "triangle", join(known)));
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

const detail::SimplexEntry& entry_of(int dimensions, const std::string& map) {
  for (const auto& entry : detail::simplex_entries(dimensions))
    if (entry.map.key == map) return entry;
  throw Error("map '" + map + "' is listed but cannot be made");
}

}  // namespace

const TrackInfo& compiled_simplex_track(int dimensions, const TrackInfo& track, const std::string& work) {
  if (names_own(track.name)) return detail::own_simplex_track(track.name);  // compiled when it is made
  const SimplexWork* known = simplex_work_of(dimensions, work);
  const std::string map = !track.exact && known && !known->under_inexact_maps ? ExactRoot::info.key : track.map;
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
  const auto& compiled = found == by_work.end() ? simplex_tracks(dimensions) : found->second;
  if (own_names().empty()) return compiled;
  // As own maps come, there are more: who holds the list of before keeps it.
  static std::mutex mutex;
  static std::map<std::tuple<int, std::string, std::uint64_t>, std::vector<TrackInfo>> with_own;
  const std::lock_guard lock(mutex);
  auto& all = with_own[{dimensions, work, own_version()}];
  if (all.empty()) {
    all = compiled;
    for (auto& track : detail::own_simplex_tracks()) all.push_back(std::move(track));
  }
  return all;
}

bool compiles_all_shapes(int dimensions, const TrackInfo& track) {
  if (names_own(track.name)) return false;
  return entry_of(dimensions, track.map).compiles_all;
}

const TrackInfo& find_simplex_track(int dimensions, const std::string& name) {
  if (names_own(name)) return detail::own_simplex_track(name);
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
  throw UsageError(fmt::format("unknown track '{}' of a {}; did you mean '{}'? (known: {}, each with /LAYOUT: {})",
                               name, dimensions == 2 ? "triangle" : "tetrahedron", nearest(name, full), join(known),
                               join(layouts)));
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

double simplex_values(const SimplexSettings& settings, const std::string& layout) {
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  if (work.key == "map_only") return 0;
  return work.per_block ? simplex_number_real(settings.kind->dimensions, settings.blocks())
                        : simplex_layout_elements(settings, layout);
}

double simplex_launched(int dimensions, const std::string& map, std::uint32_t n, std::uint32_t rho) {
  if (names_own(map)) return NAN;  // it alone knows
  return static_cast<double>(entry_of(dimensions, map).launched(n, rho));
}

double simplex_track_bytes(const SimplexSettings& settings, const std::string& track) {
  const int dimensions = settings.kind->dimensions;
  const TrackInfo& info = find_simplex_track(dimensions, track);
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  const double blocks = simplex_number_real(dimensions, settings.blocks());
  const bool own = names_own(track);
  const double visits =
      own ? blocks
          : simplex_launched(dimensions, info.map, settings.n, settings.rho) / std::pow(settings.rho, dimensions);
  // States; six bytes per visit and four per block for pictures; the map's table.
  const double pictured = visits <= double(1u << 28) ? 6 * visits + 4 * blocks : 0;
  return simplex_values(settings, info.layout) * work.value_bytes * (work.reads_state ? 2 : 1) + pictured +
         (own ? detail::own_simplex_bytes(settings)
              : entry_of(dimensions, info.map).table_bytes(settings.n, settings.rho));
}

namespace {

/// Whether neighbours lie more than 32 bits apart in memory for kernels whose threads serve several cells: where they
/// read neighbours, and blocks follow each other. The farthest is a layer away, in the corner tetrahedron three.
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
    if (names_own(track)) continue;
    const MapInfo& map = entry_of(dimensions, find_simplex_track(dimensions, track).map).map;
    if (settings.blocks() > map.exact_up_to)
      throw UsageError(fmt::format("map '{}' is right up to {} blocks per side; n = {} at block {} has {}", map.key,
                                   grouped(map.exact_up_to), settings.n, settings.rho, grouped(settings.blocks())));
  }
  if (neighbours_too_far(settings, tracks))
    throw UsageError(fmt::format(
        "n {}: with several cells per thread blocks of {} lie too far apart in memory; choose coarsen 1 or a "
        "smaller n",
        settings.n, settings.rho));
  const double available = static_cast<double>(free_bytes(backend)) + static_cast<double>(bytes_to_be_released);
  // Leaves a tenth to pictures, the driver and other programs.
  const auto both = [](double bytes) {
    return bytes_text(bytes) + " (" + grouped(static_cast<unsigned long long>(std::min(bytes, 1.8e19))) + " bytes)";
  };
  if (needed > .9 * available)
    throw UsageError(
        fmt::format("n {}: {} {} of {} memory, {} are free; choose a smaller n, a larger block or fewer tracks",
                    settings.n, tracks.size() == 1 ? "1 track needs" : std::to_string(tracks.size()) + " tracks need",
                    both(needed), name(backend), both(available)));
}

std::unique_ptr<Track> make_simplex_track(Queue& queue, const SimplexSettings& settings, const std::string& name) {
  const TrackInfo& wanted = find_simplex_track(settings.kind->dimensions, name);
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  if (const auto& runs = compiled_simplex_track(settings.kind->dimensions, wanted, work.key); runs.name != wanted.name)
    throw UsageError(fmt::format("track '{}' is not compiled for work '{}'; the nearest that is: '{}'", wanted.name,
                                 work.key, runs.name));
  const std::uint64_t needed = work.more_points ? std::uint64_t{settings.n} + *work.more_points : 0;
  if (needed && (!settings.points || settings.points->count() < needed))
    throw UsageError(fmt::format("points: {} points are there, '{}' with n = {} needs {}",
                                 settings.points ? settings.points->count() : 0, work.key, settings.n, needed));
  if (settings.points && settings.points->dimensions != settings.kind->dimensions)
    throw UsageError(fmt::format("points: they are in {} dimensions, the domain '{}' is in {}",
                                 settings.points->dimensions, settings.kind->key, settings.kind->dimensions));
  if (names_own(name)) return detail::make_own_simplex_track(queue, settings, wanted);
  return entry_of(settings.kind->dimensions, wanted.map).make(queue, settings, wanted);
}

bool tells_shares(const std::string& number) { return number.starts_with("coarsen_") || number == "gang"; }

std::uint64_t blocked_padding(const SimplexSettings& settings) {
  const std::uint64_t n = settings.n, blocks = settings.blocks(), rho = settings.rho;
  return settings.kind->dimensions == 2 ? triangle_number(blocks) * rho * rho - triangle_number(n)
                                        : tetrahedron_number(blocks) * rho * rho * rho - tetrahedron_number(n);
}

AlignedShares aligned_shares(double n, double k) {
  const double published = 1 / (2 * k) + 1 / n, exact = 1 / k;
  const auto cost = [&](double share) { return (2 - std::min(1., share)) / k; };
  return {published, exact, cost(published), cost(exact)};
}

}  // namespace warploom
