#pragma once
#include "gpu/scenes/bins/access/compact_range.h"

namespace warploom {

/// Rows of bins whose elements lie otherwise: what coalescing makes of it (thesis figs. 13, 14, 27).
struct CompactArrays : CompactRange {
  static constexpr BinAccessInfo info{.name = "compact/range/arrays",
                                      .description = "an array of each float of the elements (CSR)",
                                      .reads_a_row = 2,
                                      .layout_name = "arrays",
                                      .layout = BinLayout::arrays};
};

struct CompactVectors : CompactRange {
  static constexpr BinAccessInfo info{.name = "compact/range/vectors",
                                      .description = "arrays of pairs of the elements' floats (CSR)",
                                      .reads_a_row = 2,
                                      .layout_name = "vectors",
                                      .layout = BinLayout::vectors};
};

struct CompactPaddedElements : CompactRange {
  static constexpr BinAccessInfo info{.name = "compact/range/padded_elements",
                                      .description = "32 bytes per element, so that each starts on a sector (CSR)",
                                      .reads_a_row = 2,
                                      .layout_name = "padded_elements",
                                      .layout = BinLayout::padded_elements};
};

/// Bins that start on 32 bytes: some of their slots are padding, so that counts are read, too.
struct CompactPaddedBins : EveryRow {
  static constexpr BinAccessInfo info{
      .name = "compact/bin/padded_bins",
      .description = "each bin starts on a sector; reads where it begins and how many it has (CSR)",
      .reads_a_bin = 2,
      .layout_name = "padded_bins",
      .pads_bins = true,
      .by_bins = true};
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    for (std::uint64_t bin = row.first; bin <= row.last; ++bin) {
      const std::uint64_t first = slots.offsets[bin];
      if (const std::uint32_t real = slots.counts[bin]) body(first, first + real);
    }
  }
};

}  // namespace warploom
