#pragma once
#include <memory>
#include <string>
#include <vector>

#include "gpu/files/points.h"
#include "gpu/maps/rule.h"
#include "gpu/scenes/simplex/maps/cell_shares.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// A domain of the simplex scene.
struct SimplexKind {
  const char* key;
  const char* title;
  const char* description;
  int dimensions;
  bool corner;
  std::uint32_t most_block;  ///< rho^d <= 1024 threads
};
const std::vector<SimplexKind>& simplex_kinds();
/// Throws UsageError with the nearest.
const SimplexKind& find_simplex_kind(const std::string& key);

struct SimplexSettings {
  const SimplexKind* kind = nullptr;
  std::uint32_t n = 1, rho = 1;
  std::uint32_t coarsen = 1, gang = 1;  ///< cells per thread, blocks per launched one; 0: the best
  std::string work = "automaton";
  Rule rule;
  std::shared_ptr<const Points> points;  ///< null where the work needs none
  bool constants = false;                ///< own maps are compiled for this very domain

  std::uint32_t blocks() const { return (n + rho - 1) / rho; }
};

/// A work of a domain, for menus and checks.
struct SimplexWork {
  std::string key, title, description, citation;
  bool cells_live = false;  ///< its cells are dead or alive: can be painted and counted
  bool reads_state = false;
  bool per_block = false;
  std::optional<std::uint32_t> more_points;  ///< points needed beyond n; none needed: nullopt
  std::string odd;                           ///< what it counts; empty: nothing
  std::uint32_t value_bytes = 1;
  bool kind_real = false;            ///< its values are floats
  std::uint64_t bytes_per_cell = 0;  ///< fewest that a step moves; 0: says nothing
  std::uint64_t shared_bytes = 0;    ///< shared memory of a block with a thread per cell
  bool under_inexact_maps = false;   ///< compiled under inexact maps, too
};
const std::vector<SimplexWork>& simplex_works(int dimensions);
/// Null where the dimension has no such work.
const SimplexWork* simplex_work_of(int dimensions, const std::string& key);
/// Throws UsageError with the nearest, or with the domains that have it.
const SimplexWork& find_simplex_work(const SimplexKind& kind, const std::string& key);

/// Every compiled track of a dimension, canonical names map[/layout], in the order of the lists.
const std::vector<TrackInfo>& simplex_tracks(int dimensions);
/// The canonical track of a name, compiled or not. Throws UsageError with the nearest.
const TrackInfo& find_simplex_track(int dimensions, const std::string& name);
/// Those that are compiled for a work; all where there is no such work.
const std::vector<TrackInfo>& simplex_tracks(int dimensions, const std::string& work);
/// The track itself where it is compiled for the work, else the nearest that is: of the same map, or of the exact root.
const TrackInfo& compiled_simplex_track(int dimensions, const TrackInfo& track, const std::string& work);
/// Whether every shape of a work is compiled under the track's map; else only the automatic one of each layout.
bool compiles_all_shapes(int dimensions, const TrackInfo& track);

/// How a track shares out its blocks: by the automatic shape of the layout where the asked one is not compiled under
/// its map. Throws UsageError where the work lists no box of so many cells for blocks and layout (naming those that it
/// lists), or where a block or gang has too many threads or too much shared memory. Inexact maps have a thread per
/// cell.
CellShares simplex_shares(const SimplexSettings& settings, const TrackInfo& track);
/// Cells per thread that the work lists for a layout, with 1 where a block keeps to 1024 threads; ascending.
std::vector<std::uint32_t> simplex_coarsenings(const SimplexSettings& settings, const std::string& layout);
/// Sides of blocks at which the work lists several cells per thread, in any layout; ascending.
std::vector<std::uint32_t> simplex_coarse_sides(const SimplexSettings& settings);

/// Nanoseconds that an H200 takes to start a block, and bytes that it moves per nanosecond; for the best gang.
inline constexpr double h200_block_ns = .606, h200_copied_per_ns = 4270, h200_filled_per_ns = 4450;

/// Whether a number of a track says how its blocks are shared out: coarsen_x and the like.
bool tells_shares(const std::string& number);

/// A double: refused sizes may pass 2^64.
double simplex_track_bytes(const SimplexSettings& settings, const std::string& track);
/// Throws UsageError naming bytes needed and bytes free, or the size past which a map is not right.
void check_simplex(Backend backend, const SimplexSettings& settings, const std::vector<std::string>& tracks,
                   std::uint64_t bytes_to_be_released = 0);

/// Makes the track `name`; its state is empty.
std::unique_ptr<Track> make_simplex_track(Queue& queue, const SimplexSettings& settings, const std::string& name);

/// Elements of a layout's state at these settings; and values that the work keeps there.
double simplex_layout_elements(const SimplexSettings& settings, const std::string& layout);
double simplex_values(const SimplexSettings& settings, const std::string& layout);

/// Elements of padding in the blocked layout: T(n_b) rho^3 - T(n), or t(n_b) rho^2 - t(n).
std::uint64_t blocked_padding(const SimplexSettings& settings);

/// Threads that a map launches, by closed form; for curves over n.
double simplex_launched(int dimensions, const std::string& map, std::uint32_t n, std::uint32_t rho);

/// The paper's figures for the linear layout [navarro2016tetrahedra, section III.A], k elements per aligned line: the
/// published share F = 1/(2k) + 1/n of aligned rows, the true share 1/k, and the cost of either in lines per cell,
/// (T/k)(alpha - (alpha - 1) share) / T with alpha = 2.
struct AlignedShares {
  double published = 0, exact = 0, cost_published = 0, cost_exact = 0;
};
AlignedShares aligned_shares(double n, double k);

/// Largest side of a block whose threads serve several cells.
inline constexpr std::uint32_t most_simplex_block = 64;

/// Largest n: the coordinates of a cell fit 64 bits together.
inline constexpr std::int64_t most_simplex_side = (1 << 21) - 1;

}  // namespace warploom
