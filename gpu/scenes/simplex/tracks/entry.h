#pragma once
#include <memory>

#include "gpu/maps/map.h"
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

}  // namespace warploom::detail
