#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/cell_bytes.h"
#include "gpu/scenes/simplex/works/coarse.h"

namespace warploom {

/// A step of the automaton in linear layout by shares of rows that begin at sectors (CellShares): a thread has four
/// cells of a row in a word, and extracts those of the rows around, which begin anywhere, from the words that they
/// straddle. Planes shift against each other, so that a thread can reuse nothing that it has read for the next plane.
template <class Shape>
struct AutomatonShares {
  static constexpr int dimensions = Shape::dimensions;
  static constexpr std::uint32_t width = 4, sector = 32;
  static_assert(Shape::shares && Shape::box.x == width && Shape::rho % sector == 0);
  /// 40 registers per thread: with more, too few warps wait for memory at once.
  static constexpr unsigned most_threads = 512, least_blocks = 3;
  /// With so many cells left in the row, all four and all cells around them are inside.
  static constexpr std::int32_t inside = dimensions == 3 ? 5 : 6;

  SimplexDomain<dimensions> domain;
  typename Shape::Layout layout;
  const std::uint8_t* in;
  std::uint8_t* out;
  RuleOfFour rule;
  explicit AutomatonShares(const CoarseArguments<Shape, std::uint8_t>& with)
      : domain(with.domain), layout(with.layout), in(with.in), out(with.out), rule(with.rule) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, const BlockView& view) const {
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      for (std::uint32_t y = 0; y < Shape::box.y; ++y) {
        const Cell cell{view.origin.x + first.x, view.origin.y + first.y + y, view.origin.z + first.z};
        if (cell.x > cell.y || cell.y >= domain.n) continue;
        if constexpr (dimensions == 3)
          up_planes(cell);
        else
          share(cell, layout.address({0, cell.y, 0}));
      }
    });
  }

 private:
  WARPLOOM_HD void up_planes(Cell cell) const {
    const std::uint32_t end = cell.z + Shape::box.z < domain.n ? cell.z + Shape::box.z : domain.n;
    if (cell.z < cell.y) cell.z = cell.y;  // rows y begin at plane y
    std::uint64_t row = layout.address({0, cell.y, cell.z});
    for (; cell.z < end; ++cell.z) {
      share(cell, row);
      row += narrow_triangle_number(cell.z + 1);
    }
  }

  /// In the row that begins at address `row`; `cell` is the thread's first, before its share is shifted.
  WARPLOOM_HD void share(Cell cell, std::uint64_t row) const {
    const std::uint32_t later = (0u - static_cast<std::uint32_t>(row)) & (sector - 1);
    const Cell own{cell.x + later, cell.y, cell.z};
    const std::int32_t left = left_of(own);
    const std::uint64_t at = row + own.x;
    if (left >= inside) {
      *reinterpret_cast<std::uint32_t*>(out + at) = next<true>(at, own, left);
    } else if (left > 0) {
      store_first(at, next<false>(at, own, left), left);
    }
    // Before the first share: only in the first block, as a sector is no wider than a block.
    if (cell.x < later) {
      const std::int32_t all = left_of(cell), before = static_cast<std::int32_t>(later - cell.x);
      store_first(row + cell.x, next<false>(row + cell.x, cell, all), all < before ? all : before);
    }
  }
  /// Cells of the row from this one on.
  WARPLOOM_HD static std::int32_t left_of(Cell cell) {
    return static_cast<std::int32_t>(cell.y + 1) - static_cast<std::int32_t>(cell.x);
  }
  WARPLOOM_HD void store_first(std::uint64_t at, std::uint32_t four, std::int32_t count) const {
    WARPLOOM_UNROLL
    for (std::int32_t i = 0; i < 4; ++i)
      if (i < count) out[at + static_cast<std::uint32_t>(i)] = static_cast<std::uint8_t>(four >> (8 * i) & 0xff);
  }

  /// The next generation of four cells from address `at` on; the row has `left` from `cell`, the first, on. `deep`:
  /// they are an aligned word, and all cells and neighbours lie inside.
  template <bool deep>
  WARPLOOM_HD std::uint32_t next(std::uint64_t at, Cell cell, std::int32_t left) const {
    const std::uint8_t* const from = in + at;
    const std::uint32_t own = deep ? *reinterpret_cast<const std::uint32_t*>(from) : first<false>(from, left, true);
    return rule.template operator()<dimensions == 2>(own, around<deep>(from, cell, own, left));
  }

  /// The number of living neighbours of each of the four; `own` are the cells.
  template <bool deep>
  WARPLOOM_HD std::uint32_t around(const std::uint8_t* from, Cell cell, std::uint32_t own, std::int32_t left) const {
    const std::uint8_t *const above = from - cell.y, *const below = from + cell.y + 1;  // rows of y and y + 2 cells
    const bool begins = cell.x == 0, lower = dimensions == 3 ? cell.y < cell.z : cell.y + 1 < domain.n;
    const std::uint32_t before = byte_at(from - 1, !begins), after = byte_at(from + 4, deep || left > 4),
                        up = first<deep>(above, left - 1, true);
    if constexpr (dimensions == 3) {
      // A plane begins t(z) after the one before, which has the row where it has the one below.
      const std::uint32_t down = some<deep>(below, left, lower),
                          front = some<deep>(from - narrow_triangle_number(cell.z), left, lower),
                          back = some<deep>(from + narrow_triangle_number(cell.z + 1), left, cell.z + 1 < domain.n);
      return sides_of_four(own, before, after) + up + down + front + back;
    } else {
      const std::uint32_t down = first<deep>(below, left + 1, lower);
      return sides_of_four(
                 own + up + down, before + byte_at(above - 1, !begins) + byte_at(below - 1, lower && !begins),
                 after + byte_at(above + 4, deep || left > 5) + byte_at(below + 4, lower && (deep || left > 3))) +
             up + down;
    }
  }
  /// Four cells of a row that has `left` from the first on; dead ones if not `there`. `some` includes whatever follows
  /// the row's end, `first` does not.
  template <bool deep>
  WARPLOOM_HD static std::uint32_t some(const std::uint8_t* from, std::int32_t left, bool there) {
    return four_bytes_at<deep>(from, there ? left : 0);
  }
  template <bool deep>
  WARPLOOM_HD static std::uint32_t first(const std::uint8_t* from, std::int32_t left, bool there) {
    return some<deep>(from, left, there) & (deep ? ~0u : first_bytes(left));
  }
};

}  // namespace warploom
