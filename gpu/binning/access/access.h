#pragma once
#include <string_view>

#include "gpu/binning/slots.h"

// What an access says of itself
// -----------------------------
// An access is an empty struct, one header in access/ and one line in list.h: how a block of outputs (of bodies: a
// thread) reads the elements that may reach it, as runs of slots.
//
//   static constexpr BinAccessInfo info
//   template <class Body> static void rows(const BinGrid&, const Reach&, Body&&)
//                                     body(BinRow) for the rows of bins that are looked at; EveryRow has them all
//   template <class Body> static void runs(const BinSlots&, const BinRow&, Body&&)
//                                     body(first, last): its slots from first to before last, never none
namespace warploom {

enum class BinStructure { none, regular, compact };

/// How a track makes its outputs.
struct BinWay {
  int access = 0;  ///< number in BinAccesses, or in BinSpreads
  BinStructure structure = BinStructure::none;
  bool spreads = false;  ///< elements add to outputs, in place of the gather: BinSpreads
  bool spills = false;   ///< what a bin has no slots for is left to the CPU
  BinLayout layout = BinLayout::records;
  bool pads_bins = false;      ///< each bin starts on 32 bytes
  bool reads_padding = false;  ///< slots without an element are loaded, too: they must hold no number
};

struct BinAccessInfo {
  const char* name;  ///< structure/access
  BinStructure structure;
  const char *description, *citation;
  bool stops_at_padding = false;  ///< a run has padding at its end alone: what follows the first is not looked at
  unsigned reads_a_bin = 0, reads_a_row = 0, reads_a_group = 0;  ///< of index arrays
  bool spills = false;                                           ///< there is a track with a cap, too
  const char* layout_name = nullptr;                             ///< none: plain records
  BinLayout layout = BinLayout::records;
  bool pads_bins = false;  ///< each bin of a compact structure starts on 32 bytes
  bool reads_padding = false;

  constexpr std::string_view structure_name() const {
    const std::string_view all = name;
    return all.substr(0, all.find('/'));
  }
  constexpr std::string_view access_name() const {
    const std::string_view rest = std::string_view(name).substr(structure_name().size() + 1);
    return rest.substr(0, rest.find('/'));
  }
};

/// Of accesses that look at all rows of the box.
struct EveryRow {
  template <class Body>
  WARPLOOM_HD static void rows(const BinGrid& grid, const Reach& reach, Body&& body) {
    each_row(grid, reach.bins(grid), body);
  }
};

/// Calls body(first, last) for all runs of slots that may hold elements in reach.
template <class Access, class Body>
WARPLOOM_HD void each_run(const BinSlots& slots, const Reach& reach, Body&& body) {
  Access::rows(slots.grid, reach, [&](const BinRow& row) { Access::runs(slots, row, body); });
}

}  // namespace warploom
