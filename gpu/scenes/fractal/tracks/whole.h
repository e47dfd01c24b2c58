#pragma once
#include "gpu/scenes/fractal/tracks/entry.h"

// Tracks that are no map with a work of single cells: storages that own their step, and threads that have whole rows. A
// new one is a source and a line here.
namespace warploom::detail {

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
