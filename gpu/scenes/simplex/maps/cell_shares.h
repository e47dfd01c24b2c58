#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/core/types.h"
#include "gpu/scenes/simplex/maps/domain.h"

namespace warploom {

/// How the cells of a block are shared out: the box that a thread serves, and the blocks that a device launches as one.
/// Where threads serve whole sectors of rows that begin anywhere in memory, `sector` is the cells per sector, a power
/// of two that divides the block's side and is no less than the box's; 0: blocks serve their own cells. In a row that
/// begins at address R of the linear layout, a block's share begins s = -R mod sector cells after the block, at a
/// sector. The first block serves what lies before the first share: its threads have as many more items.
struct CellShares {
  ThreadBox box;
  std::uint32_t gang = 1, sector = 0;

  /// How many cells after their blocks the shares begin, in the row of `cell`.
  template <int Dimensions>
  WARPLOOM_HD std::uint32_t later(const SimplexDomain<Dimensions>& domain, Cell cell) const {
    const Index3 row = domain.stacked({0, cell.y, cell.z});
    return (0u - static_cast<std::uint32_t>(simplex_index<Dimensions>(row))) & (sector - 1);
  }
  /// The cell moved as if its block's share began with the block. `before`: it lies before the first share, and is one
  /// of the first block's additional items.
  template <int Dimensions>
  WARPLOOM_HD Cell in_block(const SimplexDomain<Dimensions>& domain, Cell cell, bool& before) const {
    before = false;
    if (!sector) return cell;
    const std::uint32_t by = later(domain, cell);
    before = cell.x < by;
    return before ? cell : Cell{cell.x - by, cell.y, cell.z};
  }
  template <int Dimensions>
  WARPLOOM_HD Index3 threads(const SimplexDomain<Dimensions>& domain) const {
    const Index3 cells = domain.block_extent();
    return {cells.x / box.x, cells.y / box.y, cells.z / box.z};
  }
  /// The thread that serves place `in` of a block, and which of its items that is: x first, then y, then z.
  WARPLOOM_HD Index3 thread_of(Index3 in) const { return {in.x / box.x, in.y / box.y, in.z / box.z}; }
  WARPLOOM_HD std::uint32_t item_of(Index3 in) const {
    return ((in.z % box.z) * box.y + in.y % box.y) * box.x + in.x % box.x;
  }
  /// The inverse: the place in the block of a thread's item.
  WARPLOOM_HD Index3 place_of(Index3 thread, std::uint32_t item) const {
    Index3 in;
    if (box.cells() > 1) in = {item % box.x, item / box.x % box.y, item / (box.x * box.y)};
    return {thread.x * box.x + in.x, thread.y * box.y + in.y, thread.z * box.z + in.z};
  }
  /// Places that a thread looks at, with those before the first share.
  WARPLOOM_HD std::uint32_t items() const { return box.cells() * (sector ? 2 : 1); }
  /// The cell of a thread's item in the block that begins at `origin`. False: none.
  template <int Dimensions>
  WARPLOOM_HD bool cell_of(const SimplexDomain<Dimensions>& domain, Cell origin, Index3 thread, std::uint32_t item,
                           Cell& cell) const {
    const std::uint32_t cells = box.cells();
    const Index3 in = place_of(thread, item < cells ? item : item - cells);
    cell = {origin.x + in.x, origin.y + in.y, origin.z + in.z};
    if (!sector) return domain.contains(cell);
    const std::uint32_t by = later(domain, cell);
    if (item < cells) {
      cell.x += by;
      return domain.contains(cell);
    }
    return origin.x == 0 && cell.x < by && domain.contains(cell);
  }
  /// How many of the thread's items are cells, counted row by row.
  template <int Dimensions>
  WARPLOOM_HD std::uint32_t cells_of(const SimplexDomain<Dimensions>& domain, Cell origin, Index3 thread) const {
    const Index3 first = place_of(thread, 0);
    std::uint32_t found = 0;
    for (std::uint32_t z = 0; z < box.z; ++z)
      for (std::uint32_t y = 0; y < box.y; ++y) {
        const Cell row{0, origin.y + first.y + y, origin.z + first.z + z};
        const std::int32_t there = domain.row_cells(row);
        if (there <= 0) continue;
        const auto cells = static_cast<std::uint32_t>(there);
        const std::uint32_t by = sector ? later(domain, row) : 0, from = origin.x + first.x + by;
        found += from < cells ? smaller(box.x, cells - from) : 0;
        // What lies before the first share of the row.
        if (by > first.x && origin.x == 0 && first.x < cells)
          found += smaller(smaller(box.x, by - first.x), cells - first.x);
      }
    return found;
  }

 private:
  WARPLOOM_HD static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
};

}  // namespace warploom
