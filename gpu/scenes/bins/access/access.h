#pragma once
#include <string_view>

#include "gpu/scenes/bins/kernels/slots.h"

// What an access says of itself
// -----------------------------
// An access is an empty struct, one header in access/ and one line in list.h: how a block of outputs (of bodies: a
// thread) reads the elements that may reach it, as runs of slots.
//
//   static constexpr BinAccessInfo info
//   template <class Body> static void row(const BinGrid&, const Reach&, const BinBox&, int y, int z, Body&&)
//                                     body(BinRow) for what is looked at of a row of bins of the box: once, of a
//                                     periodic grid up to three times, or never; EveryRow has all of it
//   template <class Body> static void runs(const BinSlots&, const BinRow&, Body&&)
//                                     body(first, last): its slots from first to before last, never none; once at
//                                     most, or, with by_bins, once per bin: lattices then ask for one bin at a time
namespace warploom {

enum class BinStructure { none, regular, compact };

struct BinAccessInfo {
  const char* name;  ///< structure/access
  const char* description;
  const char* citation = "obeid2010binning";
  bool stops_at_padding = false;  ///< a run has padding at its end alone: what follows the first is not looked at
  /// Words of index arrays that are read per bin of a row and per row, as the audit counts them; of spreads per group.
  unsigned reads_a_bin = 0, reads_a_row = 0, reads_a_group = 0;
  bool spills = false;                ///< there is a track with a cap, too
  const char* layout_name = nullptr;  ///< none: plain records
  BinLayout layout = BinLayout::records;
  bool pads_bins = false;      ///< each bin of a compact structure starts on 32 bytes
  bool reads_padding = false;  ///< slots without an element are loaded, too: they must hold no number
  bool by_bins = false;        ///< runs are of one bin each; else there is one per row
  bool culls = false;          ///< of lattices: a warp tests only what may reach one of its outputs
  /// As the name says.
  BinStructure structure = std::string_view(name).starts_with("none")      ? BinStructure::none
                           : std::string_view(name).starts_with("regular") ? BinStructure::regular
                                                                           : BinStructure::compact;

  constexpr std::string_view structure_name() const {
    const std::string_view all = name;
    return all.substr(0, all.find('/'));
  }
  constexpr std::string_view access_name() const {
    const std::string_view rest = std::string_view(name).substr(structure_name().size() + 1);
    return rest.substr(0, rest.find('/'));
  }
};

/// How a track makes its outputs.
struct BinVariant {
  const BinAccessInfo* access;
  int number = 0;        ///< in BinAccesses, or in BinSpreads
  bool spreads = false;  ///< elements add to outputs, in place of the gather: BinSpreads
  bool spills = false;   ///< what a bin has no slots for is left to the CPU
};

/// Of accesses that look at all bins of the box.
struct EveryRow {
  template <class Body>
  WARPLOOM_HD static void row(const BinGrid& grid, const Reach&, const BinBox& box, std::int32_t y, std::int32_t z,
                              Body&& body) {
    row_parts(grid, box.first[0], box.last[0], y, z, body);
  }
};

/// Calls body(BinRow) for the rows of bins that an access looks at.
template <class Access, class Body>
WARPLOOM_HD void each_row_of(const BinGrid& grid, const Reach& reach, Body&& body) {
  if constexpr (Access::info.structure == BinStructure::none) {
    body(BinRow{0, 0, 0, 0});  // which stands for everything
  } else {
    const BinBox box = reach.bins(grid);
    for (std::int32_t z = box.first[2]; z <= box.last[2]; ++z)
      for (std::int32_t y = box.first[1]; y <= box.last[1]; ++y) Access::row(grid, reach, box, y, z, body);
  }
}

/// Calls body(first, last) for all runs of slots that may hold elements in reach.
template <class Access, class Body>
WARPLOOM_HD void each_run(const BinSlots& slots, const Reach& reach, Body&& body) {
  each_row_of<Access>(slots.grid, reach, [&](const BinRow& row) { Access::runs(slots, row, body); });
}

}  // namespace warploom
