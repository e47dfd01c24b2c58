#pragma once
#include <memory>

#include "gpu/scenes/fractal/fractal.h"
#include "gpu/scenes/fractal/maps/ways.h"

namespace warploom::detail {

/// One map with one storage.
struct FractalEntry {
  TrackInfo info;
  int storage = 0;  ///< position in FractalStorages
  std::unique_ptr<Track> (*make)(Queue&, const FractalSettings&, const TrackInfo&);
  std::uint64_t (*launched)(const FractalDomain&, int block_digits);
  double (*state_bytes)(const FractalDomain&, int block_digits);  ///< of one state
  /// Why a track cannot serve such blocks at such a level; empty: it can. None where it always can.
  std::string (*refusal)(const FractalDomain&, int block_digits) = nullptr;
  /// The one work that it is compiled for, and the track that serves all others; null: it serves them all.
  const char *only_work = nullptr, *else_track = nullptr;
  bool takes_rules = false;  ///< it is a map, which an own rule can run under
};

template <class Made>
std::unique_ptr<Track> make_track_of(Queue& queue, const FractalSettings& settings, const TrackInfo& info) {
  return std::make_unique<Made>(queue, settings, info);
}

/// Of one line of the list of maps; instantiated in a source of its own, which CMake makes.
template <class Line>
std::vector<FractalEntry> fractal_entries_of();

/// Of maps and ways that cannot serve every block.
template <class Ways>
constexpr auto refusal_of() -> std::string (*)(const FractalDomain&, int) {
  if constexpr (requires { &Ways::refusal; })
    return &Ways::refusal;
  else
    return nullptr;
}

/// Name and words of a track. Ways and storages that come first are left out of its name.
TrackInfo track_info(const MapInfo& map, const MapInfo* intra, const MapInfo& storage, bool first_way,
                     bool first_storage);

/// All, in the order of the lists: storage by storage.
const std::vector<FractalEntry>& fractal_entries();
/// Of a track by its name, as find_fractal_track has it.
const FractalEntry& fractal_entry(const std::string& track);

// Tracks that are no map with a work of single cells: storages that own their step, and threads that have whole rows. A
// new one is a source and a line here.
using FractalEntries = std::vector<FractalEntry>;
FractalEntries walk_entries();
FractalEntries lambda_row_entries();
FractalEntries compact_entries();
FractalEntries compact_product_entries();
FractalEntries sliced_entries();

inline const auto whole_fractal_entries = {&walk_entries, &lambda_row_entries, &compact_entries,
                                           &compact_product_entries, &sliced_entries};

/// Of a track that is named as what it keeps its state in, or as how it comes to its cells.
TrackInfo whole_info(const MapInfo& what, const MapInfo& storage);

}  // namespace warploom::detail
