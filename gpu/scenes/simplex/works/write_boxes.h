#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/coarse.h"

namespace warploom {

/// Writes a thread's box in packs of up to four cells, and padding as zero, for works that write values of four bytes
/// and read none. of(cell) is a cell's value; of.columns(x).pack(cell) is a pack from `cell` on, which is at x: one
/// object of columns serves several rows. It may be asked for cells outside, whose values do not count.
template <class Shape, class Value>
struct BoxWriter {
  static constexpr int dimensions = Shape::dimensions;
  static constexpr std::uint32_t width = Shape::box.x < 4 ? Shape::box.x : 4;
  static_assert(sizeof(Value) == 4 && Shape::box.x % width == 0);

  SimplexDomain<dimensions> domain;
  typename Shape::Layout layout;
  Value* out;

  template <class Of>
  WARPLOOM_HD void operator()(const BlockView& view, unsigned thread, Of&& of) const {
    if constexpr (Shape::shares)
      shares(view, Shape::first(thread), of);
    else if (view.whole)
      blocks<true>(view, Shape::first(thread), of);
    else
      blocks<false>(view, Shape::first(thread), of);
  }

 private:
  WARPLOOM_HD static Cell moved(Cell from, Index3 by) { return {from.x + by.x, from.y + by.y, from.z + by.z}; }

  template <bool whole, class Of>
  WARPLOOM_HD void blocks(const BlockView& view, Index3 first, Of& of) const {
    constexpr std::uint32_t rho = Shape::rho;
    Value* const to = out + view.address + (first.z * rho + first.y) * rho + first.x;
    WARPLOOM_UNROLL
    for (std::uint32_t x = 0; x < Shape::box.x; x += width) {
      const auto columns = of.columns(view.origin.x + first.x + x);
      for (std::uint32_t z = 0; z < Shape::box.z; ++z) {
        WARPLOOM_UNROLL
        for (std::uint32_t y = 0; y < Shape::box.y; ++y) {
          const Cell cell = moved(view.origin, {first.x + x, first.y + y, first.z + z});
          const std::int32_t left = whole ? static_cast<std::int32_t>(width) : domain.row_left(cell);
          Pack<Value, width> pack = columns.pack(cell, left);
          WARPLOOM_UNROLL
          for (std::uint32_t i = 0; i < width; ++i)
            if (static_cast<std::int32_t>(i) >= left) pack[i] = Value{};
          store_pack(to + (z * rho + y) * rho + x, pack);
        }
      }
    }
  }

  /// Shares of rows of the linear layout, in domains whose rows lie together (CellShares): a share begins at a sector,
  /// and the first block serves what a row has before its first sector.
  template <class Of>
  WARPLOOM_HD void shares(const BlockView& view, Index3 first, Of& of) const {
    constexpr std::uint32_t sector = 8;
    std::uint64_t first_row = layout.address({0, view.origin.y + first.y, view.origin.z + first.z});
    for (std::uint32_t y = 0; y < Shape::box.y; ++y) {
      Cell cell = moved(view.origin, {first.x, first.y + y, first.z});
      std::uint64_t row = first_row;
      for (std::uint32_t z = 0; z < Shape::box.z; ++z) {
        const std::uint32_t later = (0u - static_cast<std::uint32_t>(row)) & (sector - 1);
        const std::int32_t cells = domain.row_cells(cell);
        Value* const to = out + row;
        WARPLOOM_UNROLL
        for (std::uint32_t x = 0; x < Shape::box.x; x += width) {
          const std::uint32_t at = cell.x + x + later;
          const std::int32_t left = cells - static_cast<std::int32_t>(at);
          if (left >= static_cast<std::int32_t>(width)) {
            store_pack(to + at, of.columns(at).pack(Cell{at, cell.y, cell.z}, left));
          } else {
            for (std::int32_t i = 0; i < left; ++i)
              to[at + static_cast<std::uint32_t>(i)] = of(Cell{at + static_cast<std::uint32_t>(i), cell.y, cell.z});
          }
          if (view.origin.x == 0 && first.x + x < later)
            for (std::uint32_t i = first.x + x; i < first.x + x + width; ++i)
              if (i < later && static_cast<std::int32_t>(i) < cells) to[i] = of(Cell{i, cell.y, cell.z});
        }
        if constexpr (dimensions == 3) {  // T(z + 1) - T(z) = t(z + 1)
          ++cell.z;
          row += narrow_triangle_number(cell.z);
        }
      }
      first_row += view.origin.y + first.y + y + 1;  // t(y + 1) - t(y)
    }
  }
};

/// Shapes that write whole sectors, the best first.
template <int Dimensions>
using WritingShapes = ByDimension<
    Dimensions,
    TypeList<Blocked<2, 16, 4, 2>, Blocked<2, 16, 4, 1>, Blocked<2, 32, 4, 4>, Blocked<2, 32, 4, 1>,
             Blocked<2, 32, 4, 2>, Blocked<2, 64, 4, 4>, Blocked<2, 64, 4, 16>, Sectors<2, 16, 4, 2>,
             Sectors<2, 32, 4, 2>, Sectors<2, 32, 4, 4>, Sectors<2, 64, 4, 4>>,
    TypeList<Blocked<3, 8, 4, 1, 4>, Blocked<3, 8, 4, 1, 2>, Blocked<3, 8, 4, 1, 1>, Blocked<3, 16, 4, 1, 4>,
             Blocked<3, 16, 4, 1, 16>, Blocked<3, 32, 4, 1, 32>, Blocked<3, 64, 4, 4, 64>, Sectors<3, 8, 4, 1, 4>,
             Sectors<3, 16, 4, 1, 2>, Sectors<3, 16, 4, 1, 4>, Sectors<3, 16, 4, 1, 16>, Sectors<3, 32, 4, 1, 32>,
             Sectors<3, 64, 4, 4, 64>>>;

}  // namespace warploom
