#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/cell_bytes.h"
#include "gpu/scenes/simplex/works/coarse.h"

namespace warploom {

/// A step of the automaton in blocked layout: a thread has rows of 4, 8 or 16 cells in words of four. Neighbours in
/// other blocks lie at a constant distance per block; where there is no block nothing is read, and padding is zero.
template <class Shape>
struct AutomatonRows {
  static constexpr int dimensions = Shape::dimensions;
  static constexpr std::uint32_t rho = Shape::rho, width = Shape::box.x, words = width / 4, height = Shape::box.y,
                                 depth = Shape::box.z;
  static_assert(width % 4 == 0 && width <= 16);
  static constexpr unsigned most_threads = 512;

  SimplexDomain<dimensions> domain;
  typename Shape::Layout layout;
  const std::uint8_t* in;
  std::uint8_t* out;
  RuleOfFour rule;
  explicit AutomatonRows(const CoarseArguments<Shape, std::uint8_t>& with)
      : domain(with.domain), layout(with.layout), in(with.in), out(with.out), rule(with.rule) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, const BlockView& view) const {
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      if constexpr (dimensions == 3)
        Shape::by_kind(layout.domain.corner, [&](bool corner) { space(Shape::known(layout, corner), view, first); });
      else
        plane(view, first);
    });
  }

 private:
  using Row = Pack<std::uint32_t, words>;
  /// A neighbouring block, `delta` elements further.
  struct Beside {
    std::int32_t delta = 0;
    bool there = true;
  };
  WARPLOOM_HD static Beside beside(const typename Shape::Layout& in, const BlockView& view, int x, int y, int z) {
    return {in.delta(view.block, x, y, z), in.domain.beside(view.block, x, y, z)};
  }
  WARPLOOM_HD Beside beside(const BlockView& view, int x, int y, int z) const {
    return beside(Shape::known(layout, false), view, x, y, z);
  }
  WARPLOOM_HD static Row row_at(const std::uint8_t* from, bool there) {
    return load_pack_or_zero<words>(reinterpret_cast<const std::uint32_t*>(from), there);
  }
  /// Consecutive rows. Where they are as wide as their block, they follow each other and are read at once.
  struct Rows {
    Row row[height];
  };
  static constexpr bool together = width == rho && words * height <= 4;
  WARPLOOM_HD static Rows rows_at(const std::uint8_t* from, bool there) {
    Rows rows;
    if constexpr (together) {
      const auto pack = load_pack_or_zero<words * height>(reinterpret_cast<const std::uint32_t*>(from), there);
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < words * height; ++i) rows.row[i / words][i % words] = pack[i];
    } else {
      WARPLOOM_UNROLL
      for (unsigned y = 0; y < height; ++y) rows.row[y] = row_at(from + std::size_t{y} * rho, there);
    }
    return rows;
  }
  WARPLOOM_HD static void store_rows(std::uint8_t* to, const Rows& rows) {
    if constexpr (together) {
      Pack<std::uint32_t, words * height> pack;
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < words * height; ++i) pack[i] = rows.row[i / words][i % words];
      store_pack(reinterpret_cast<std::uint32_t*>(to), pack);
    } else {
      WARPLOOM_UNROLL
      for (unsigned y = 0; y < height; ++y) store(to + std::size_t{y} * rho, rows.row[y]);
    }
  }
  WARPLOOM_HD static std::uint32_t word_at(const std::uint8_t* from, bool there) {
    return load_pack_or_zero<1>(reinterpret_cast<const std::uint32_t*>(from), there)[0];
  }
  WARPLOOM_HD static void store(std::uint8_t* to, const Row& row) {
    store_pack(reinterpret_cast<std::uint32_t*>(to), row);
  }
  /// The sum of each cell's left and right neighbour; `before` and `after` are the bytes beside the row.
  WARPLOOM_HD static std::uint32_t sides(const Row& row, unsigned i, std::uint32_t before, std::uint32_t after) {
    const std::uint32_t own = row[i], last = i > 0 ? row[i > 0 ? i - 1 : 0] >> 24 : before,
                        next = i + 1 < words ? row[i + 1 < words ? i + 1 : 0] : after;
    return sides_of_four(own, last, next);
  }
  WARPLOOM_HD static void masked(Row& row, const SimplexDomain<dimensions>& domain, Cell cell) {
    const std::int32_t left = domain.row_left(cell);
    for (unsigned i = 0; i < words; ++i) row[i] &= first_bytes(left - static_cast<std::int32_t>(4 * i));
  }

  WARPLOOM_HD void space(const typename Shape::Layout& known, const BlockView& view, Index3 first) const {
    constexpr std::int32_t line = rho, plane = rho * rho;
    const std::uint32_t start = (first.z * rho + first.y) * rho + first.x;
    const std::uint8_t* const own = in + view.address + start;
    const Beside left = beside(known, view, -1, 0, 0), right = beside(known, view, 1, 0, 0),
                 up = beside(known, view, 0, -1, 0), down = beside(known, view, 0, 1, 0),
                 front = beside(known, view, 0, 0, -1), back = beside(known, view, 0, 0, 1);
    // From a row to its neighbour, in this block or the next.
    const Beside before_x = first.x > 0 ? Beside{-1, true} : Beside{left.delta + line - 1, left.there},
                 after_x = first.x + width < rho
                               ? Beside{static_cast<std::int32_t>(width), true}
                               : Beside{right.delta - static_cast<std::int32_t>(first.x), right.there},
                 above = first.y > 0 ? Beside{-line, true} : Beside{up.delta + plane - line, up.there},
                 below = first.y + height < rho
                             ? Beside{static_cast<std::int32_t>(height) * line, true}
                             : Beside{down.delta - static_cast<std::int32_t>(first.y) * line, down.there},
                 before_z = first.z > 0 ? Beside{-plane, true} : Beside{front.delta + (line - 1) * plane, front.there},
                 after_z = first.z + depth < rho
                               ? Beside{static_cast<std::int32_t>(depth) * plane, true}
                               : Beside{back.delta - static_cast<std::int32_t>(first.z) * plane, back.there};
    Rows last = rows_at(own + before_z.delta, before_z.there), now = rows_at(own, true);
    std::uint8_t* const to = out + (own - in);
    WARPLOOM_UNROLL
    for (unsigned z = 0; z < depth; ++z) {
      const std::int32_t here = static_cast<std::int32_t>(z) * plane;
      const bool ends = z + 1 == depth;
      const Rows next = rows_at(own + (ends ? after_z.delta : here + plane), !ends || after_z.there);
      const Row over = row_at(own + here + above.delta, above.there),
                under = row_at(own + here + below.delta, below.there);
      // Rows as wide as blocks: their neighbours are the nearest words in the same rows of the neighbouring blocks.
      Rows result;
      std::uint32_t before_rows[height], after_rows[height];
      if constexpr (together) {
        WARPLOOM_UNROLL
        for (unsigned y = 0; y < height; ++y) {
          const std::int32_t row = here + static_cast<std::int32_t>(y) * line;
          const std::uint8_t* const at = own + row;
          before_rows[y] = word_at(at + left.delta + line - 4, left.there);
          after_rows[y] = word_at(at + right.delta, right.there);
        }
      }
      WARPLOOM_UNROLL
      for (unsigned y = 0; y < height; ++y) {
        const std::int32_t at = here + static_cast<std::int32_t>(y) * line;
        const std::uint32_t before =
                                together ? before_rows[y] >> 24 : byte_at(own + at + before_x.delta, before_x.there),
                            after = together ? after_rows[y] : byte_at(own + at + after_x.delta, after_x.there);
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < words; ++i) {
          const std::uint32_t around =
              sides(now.row[y], i, before, after) + (y > 0 ? now.row[y > 0 ? y - 1 : 0] : over)[i] +
              (y + 1 < height ? now.row[y + 1 < height ? y + 1 : 0] : under)[i] + last.row[y][i] + next.row[y][i];
          result.row[y][i] = rule.template operator()<false>(now.row[y][i], around);
        }
        if (!view.whole)
          masked(result.row[y], known.domain,
                 {view.origin.x + first.x, view.origin.y + first.y + y, view.origin.z + first.z + z});
      }
      store_rows(to + here, result);
      last = now;
      now = next;
    }
  }

  struct Wide {
    Row row;
    std::uint32_t before, after;
  };
  /// Row `y` of the block, from -1 to rho, around the thread's columns.
  WARPLOOM_HD Wide wide(const BlockView& view, std::uint32_t x, std::int32_t y) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    const int over = y < 0 ? -1 : y >= side ? 1 : 0;
    const std::int32_t in_block = (y - over * side) * side;
    const Beside own = over ? beside(view, 0, over, 0) : Beside{}, left = x > 0 ? own : beside(view, -1, over, 0),
                 right = x + width < rho ? own : beside(view, 1, over, 0);
    const std::uint8_t* const row = in + view.address + in_block;
    const auto at = static_cast<std::int32_t>(x), end = at + static_cast<std::int32_t>(width);
    return {row_at(row + own.delta + at, own.there),
            byte_at(row + left.delta + (x > 0 ? at - 1 : side - 1), left.there),
            byte_at(row + right.delta + (end < side ? end : 0), right.there)};
  }

  WARPLOOM_HD void plane(const BlockView& view, Index3 first) const {
    Wide above = wide(view, first.x, static_cast<std::int32_t>(first.y) - 1),
         now = wide(view, first.x, static_cast<std::int32_t>(first.y));
    const std::uint32_t start = first.y * rho + first.x;
    std::uint8_t* const to = out + view.address + start;
    WARPLOOM_UNROLL
    for (unsigned y = 0; y < height; ++y) {
      const Wide below = wide(view, first.x, static_cast<std::int32_t>(first.y + y) + 1);
      // Sums of three along columns, then of the columns beside each cell, and its own without the cell.
      Row columns, result;
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < words; ++i) columns[i] = above.row[i] + now.row[i] + below.row[i];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < words; ++i) {
        const std::uint32_t around =
            sides(columns, i, above.before + now.before + below.before, above.after + now.after + below.after) +
            above.row[i] + below.row[i];
        result[i] = rule.template operator()<true>(now.row[i], around);
      }
      if (!view.whole) masked(result, domain, {view.origin.x + first.x, view.origin.y + first.y + y, 0});
      store(to + std::size_t{y} * rho, result);
      above = now;
      now = below;
    }
  }
};

/// A step of the automaton in linear layout: a thread walks down a column, of planes or of rows, a byte at a time.
template <class Shape>
struct AutomatonColumns {
  static constexpr int dimensions = Shape::dimensions;
  static_assert(Shape::box.x == 1 && (dimensions == 2 || Shape::box.y == 1));
  static constexpr std::uint32_t length = dimensions == 3 ? Shape::box.z : Shape::box.y;

  SimplexDomain<dimensions> domain;
  typename Shape::Layout layout;
  const std::uint8_t* in;
  std::uint8_t* out;
  std::uint32_t born, survive;
  explicit AutomatonColumns(const CoarseArguments<Shape, std::uint8_t>& with)
      : domain(with.domain),
        layout(with.layout),
        in(with.in),
        out(with.out),
        born(with.rule.born),
        survive(with.rule.survive) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, const BlockView& view) const {
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      const Cell cell{view.origin.x + first.x, view.origin.y + first.y, view.origin.z + first.z};
      if constexpr (dimensions == 3)
        down_planes(cell);
      else
        down_rows(cell);
    });
  }

 private:
  WARPLOOM_HD void down_planes(Cell cell) const {
    const std::uint32_t x = cell.x, y = cell.y, n = domain.n;
    if (x > y || y >= n) return;
    // The column begins at z = y; planes of the same cell lie t(z + 1) further.
    std::uint32_t z = cell.z > y ? cell.z : y;
    const std::uint32_t end = cell.z + length < n ? cell.z + length : n;
    if (z >= end) return;
    const std::uint64_t start = layout.address({x, y, z});
    const std::uint8_t* from = in + start;
    std::uint8_t* to = out + start;
    unsigned last = byte_at(from - narrow_triangle_number(z), z > y), own = *from;
    const bool left = x > 0, right = x < y, up = x < y;
    for (; z < end; ++z) {
      const std::uint32_t step = narrow_triangle_number(z + 1);
      const unsigned next = byte_at(from + step, z + 1 < n);
      const unsigned alive = last + next + byte_at(from - 1, left) + byte_at(from + 1, right) + byte_at(from - y, up) +
                             byte_at(from + y + 1, y < z);
      *to = static_cast<std::uint8_t>((own ? survive : born) >> alive & 1u);
      last = own;
      own = next;
      from += step;
      to += step;
    }
  }

  WARPLOOM_HD void down_rows(Cell cell) const {
    const std::uint32_t x = cell.x, n = domain.n;
    std::uint32_t y = cell.y > x ? cell.y : x;
    const std::uint32_t end = cell.y + length < n ? cell.y + length : n;
    if (y >= end) return;
    const std::uint64_t start = layout.address({x, y, 0});
    const std::uint8_t* from = in + start;
    std::uint8_t* to = out + start;
    const bool left = x > 0;
    // The row above has y cells; the one below y + 2.
    unsigned above = byte_at(from - y - 1, left && y > 0) + byte_at(from - y, x < y) + byte_at(from - y + 1, x + 1 < y);
    unsigned own = *from, beside = byte_at(from - 1, left) + byte_at(from + 1, x < y);
    for (; y < end; ++y) {
      const std::uint8_t* const under = from + y + 1;
      const bool there = y + 1 < n;
      const unsigned next = byte_at(under, there),
                     next_beside = byte_at(under - 1, there && left) + byte_at(under + 1, there);
      const unsigned alive = above + beside + next + next_beside;
      *to = static_cast<std::uint8_t>((own ? survive : born) >> alive & 1u);
      above = own + beside;
      own = next;
      beside = next_beside;
      from = under;
      to += y + 1;
    }
  }
};

}  // namespace warploom
