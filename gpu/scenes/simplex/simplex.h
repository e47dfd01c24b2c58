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

/// Everything a simplex track is made from.
struct SimplexSettings {
  const SimplexKind* kind = nullptr;
  std::uint32_t n = 1, rho = 1;
  std::uint32_t coarsen = 1, gang = 1;  ///< cells per thread, blocks a launched one; 0: the best
  std::string work = "automaton";
  Rule rule;
  std::shared_ptr<const Points> points;  ///< null where the work needs none

  std::uint32_t blocks() const { return (n + rho - 1) / rho; }
};

/// What a work of a domain is, for menus and checks.
struct SimplexWork {
  std::string key, title, description, citation;
  bool cells_live = false;  ///< its cells are dead or alive: painted, counted
  bool reads_state = false;
  bool per_block = false;
  std::optional<std::uint32_t> more_points;  ///< points needed beyond n; none needed: nullopt
  std::string odd;                           ///< what it counts; empty: nothing
  std::uint32_t value_bytes = 1;
  bool kind_real = false;            ///< its values are floats
  std::uint64_t bytes_per_cell = 0;  ///< fewest that a step moves; 0: says nothing
  std::uint64_t shared_bytes = 0;    ///< shared memory of a block with a thread per cell
  bool under_inexact_maps = false;   ///< compiled under maps that are meant to be wrong, too
};
const std::vector<SimplexWork>& simplex_works(int dimensions);
/// Throws UsageError with the nearest, or with the domains that have it.
const SimplexWork& find_simplex_work(const SimplexKind& kind, const std::string& key);

/// Every track of a dimension that is compiled, canonical names map[/layout], in the order of the lists.
const std::vector<TrackInfo>& simplex_tracks(int dimensions);
/// The canonical track of a name, compiled or not. Throws UsageError with the nearest.
const TrackInfo& find_simplex_track(int dimensions, const std::string& name);
/// The track itself where it is compiled for the work, else the nearest that is: of the same map, or of the exact root.
/// Those of them that are compiled for a work; all where there is no such work.
const std::vector<TrackInfo>& simplex_tracks(int dimensions, const std::string& work);
const TrackInfo& compiled_simplex_track(int dimensions, const TrackInfo& track, const std::string& work);
/// Whether every shape that a work lists is compiled under the track's map; else the automatic one of each layout.
bool compiles_all_shapes(int dimensions, const TrackInfo& track);

/// How a track's blocks are shared out at these settings: by the automatic shape of the layout where a listed one is
/// not compiled under the track's map. Throws UsageError where the work lists no box of so many cells for the track's
/// blocks and layout, naming those that it does, where a block has too many threads, or a gang has, or more shared
/// memory than every device can give. Maps that are meant to be wrong have a thread per cell alone.
CellShares simplex_shares(const SimplexSettings& settings, const TrackInfo& track);
/// Cells a thread that the work lists for a layout at these settings, 1 among them where a block keeps to 1024 threads;
/// ascending.
std::vector<std::uint32_t> simplex_coarsenings(const SimplexSettings& settings, const std::string& layout);
/// Sides of blocks at which the work lists more than a thread per cell, in any layout; ascending.
std::vector<std::uint32_t> simplex_coarse_sides(const SimplexSettings& settings);

/// The time that a device takes to start a block, in nanoseconds, and the bytes that it moves meanwhile: of an H200,
/// for the best gang.
inline constexpr double h200_block_ns = .606, h200_copied_per_ns = 4270, h200_filled_per_ns = 4450;

/// A number of a track that says how its blocks are shared out: coarsen_x and the like.
bool tells_shares(const std::string& number);

/// Bytes one track needs. A double: refused sizes may pass 2^64.
double simplex_track_bytes(const SimplexSettings& settings, const std::string& track);
/// Throws UsageError naming bytes needed and bytes free, or the size past which a map is not right.
void check_simplex(Backend backend, const SimplexSettings& settings, const std::vector<std::string>& tracks,
                   std::uint64_t bytes_to_be_released = 0);

/// Makes the track `name`; its state is empty.
std::unique_ptr<Track> make_simplex_track(Queue& queue, const SimplexSettings& settings, const std::string& name);

/// Elements of a layout's state at these settings.
double simplex_layout_elements(const SimplexSettings& settings, const std::string& layout);

/// Elements that the succinct blocked layout pads: T(n_b) rho^3 - T(n), or t(n_b) rho^2 - t(n).
std::uint64_t blocked_padding(const SimplexSettings& settings);

/// Threads launched by a track's map, by closed form; for curves over n.
double simplex_launched(int dimensions, const std::string& map, std::uint32_t n, std::uint32_t rho);

/// The paper's figures for the linear layout [navarro2016tetrahedra, section III.A], k elements an aligned line: the
/// share F = 1/(2k) + 1/n of aligned rows, the true share 1/k, and the cost of either in lines per cell of the time of
/// unaligned ones, (T/k)(alpha - (alpha - 1) share) / T with alpha = 2.
struct AlignedShares {
  double published = 0, exact = 0, cost_published = 0, cost_exact = 0;
};
AlignedShares aligned_shares(double n, double k);

/// Cells a side of a block at most, where its threads serve several.
inline constexpr std::uint32_t most_simplex_block = 64;

/// Largest n: coordinates of a cell fit a word of 64 bits together.
inline constexpr std::int64_t most_simplex_side = (1 << 21) - 1;

}  // namespace warploom
