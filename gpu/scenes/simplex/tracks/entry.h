#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/maps/map.h"
#include "gpu/maps/rule.h"
#include "gpu/scenes/simplex/maps/cell_shares.h"
#include "gpu/scenes/simplex/simplex.h"

namespace warploom::detail {

/// One map of the lists, of one dimension.
struct SimplexEntry {
  MapInfo map;
  bool compiles_all;  ///< every layout and shape (works/compiled.h)
  std::unique_ptr<Track> (*make)(Queue&, const SimplexSettings&, const TrackInfo&);
  std::uint64_t (*launched)(std::uint32_t n, std::uint32_t rho);
  double (*table_bytes)(std::uint32_t n, std::uint32_t rho);
};

/// Instantiated for each map in a source that CMake makes.
template <class Map>
SimplexEntry simplex_entry();

/// All maps of a dimension, in the order of the list.
const std::vector<SimplexEntry>& simplex_entries(int dimensions);

/// A run of a kernel whose threads serve several cells.
struct CoarseRun {
  Queue& queue;
  const char* kernel;
  std::uint32_t n;
  bool corner;
  const std::uint32_t* table;  ///< the map's, in the backend's memory
  CellShares shares;
  std::span<const LaunchShape> launches;  ///< of the map
  const std::uint8_t* from;
  std::uint8_t* to;
  Rule rule;
  const void* points;  ///< Point<dimensions>, in the backend's memory
  std::uint64_t* sums;
};

/// One shape of a work under one exact map.
struct CoarseEntry {
  const char* map;
  const char* work;
  const char* layout;  ///< null: the work's result has none
  std::uint32_t rho;
  ThreadBox box;
  bool shares;                 ///< serves rows by sectors
  bool rows_together;          ///< only for domains whose rows of cells lie together in memory, or are points in order
  unsigned threads;            ///< of a block
  unsigned most_threads;       ///< of a gang
  std::uint64_t shared_bytes;  ///< shared memory of a block
  void (*run)(const CoarseRun&);
};

/// Of one work under every exact map, instantiated in a source that CMake makes. The best of each rho and layout first.
template <int Dimensions, class Work>
std::vector<CoarseEntry> coarse_entries_of();

const std::vector<CoarseEntry>& coarse_entries(int dimensions);

/// The kernel of a track with these shares; null: a thread per cell.
const CoarseEntry* find_coarse(const SimplexSettings& settings, const TrackInfo& track, const CellShares& shares);

}  // namespace warploom::detail
