#pragma once
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/coarse.h"
#include "gpu/scenes/simplex/works/neighbour_counts.h"

namespace warploom {

/// The stencil in linear layout, in domains whose rows lie together. In a tetrahedron a thread has cells of two rows,
/// and walks up the planes; its neighbours along x are its neighbours in the warp. In a triangle it walks down the
/// rows.
template <class Shape>
struct StencilColumns {
  static constexpr int dimensions = Shape::dimensions;
  static constexpr std::uint32_t rho = Shape::rho;
  static_assert(rho % warp_size == 0 && Shape::box.x == 1 && (dimensions == 2 || Shape::box.y == 2));
  static constexpr unsigned most_threads = 512;

  SimplexDomain<dimensions> domain;
  typename Shape::Layout layout;
  const float* in;
  float* out;
  explicit StencilColumns(const CoarseArguments<Shape, float>& with)
      : domain(with.domain), layout(with.layout), in(with.in), out(with.out) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, const BlockView& view) const {
    const bool deep = deep_box(domain, view.origin, rho);
    if constexpr (dimensions == 2)
      group.each([&](const Thread& thread) { down_rows(view, Shape::first(thread.index), deep); });
    else if (deep)
      up_planes<true>(group, view);
    else
      up_planes<false>(group, view);
  }

 private:
  WARPLOOM_HD void down_rows(const BlockView& view, Index3 first, bool deep) const {
    const std::uint32_t x = view.origin.x + first.x, n = domain.n;
    std::uint32_t y = view.origin.y + first.y > x ? view.origin.y + first.y : x;
    const std::uint32_t end = view.origin.y + first.y + Shape::box.y < n ? view.origin.y + first.y + Shape::box.y : n;
    if (y >= end) return;
    const std::uint64_t start = layout.address({x, y, 0});
    const float* from = in + start;
    float* to = out + start;
    const bool left = x > 0;
    const auto at = [](const float* value, bool there) { return there ? *value : 0.f; };
    float above[3] = {at(from - y - 1, left), at(from - y, x < y), at(from - y + 1, x + 1 < y)},
          own[3] = {at(from - 1, left), *from, at(from + 1, x < y)};
    for (; y < end; ++y) {
      const float* const under = from + y + 1;
      const bool there = y + 1 < n;
      const float below[3] = {at(under - 1, there && left), at(under, there), at(under + 1, there)};
      float column[3];
      for (unsigned i = 0; i < 3; ++i) column[i] = (above[i] + own[i]) + below[i];
      const std::uint32_t places = deep ? 9 : places_in_plane(domain, {x, y, 0}, three_of_one);
      *to = ((column[0] + column[1]) + column[2]) * (1 / static_cast<float>(places));
      for (unsigned i = 0; i < 3; ++i) above[i] = own[i], own[i] = below[i];
      from = under;
      to += y + 1;
    }
  }

  struct TwoCounts {
    std::uint32_t before[2], last[2];
  };
  /// What each step gives for the two rows.
  struct Two {
    float first, second;
  };

  /// Four rows of a column, in every plane: their offset in bytes, the first plane that has them, and places around the
  /// column. Planes are below 2^32 bytes: no memory holds states of larger ones.
  struct Column {
    std::uint32_t bytes[4], first[4], places[4];
  };
  /// A row of a column outside the warp.
  struct Beside {
    std::uint32_t bytes, first;
  };
  WARPLOOM_HD Beside row_of(std::uint32_t x, std::uint32_t v) const {  // below zero both wrap, and are in no plane
    return {4 * (narrow_triangle_number(v) + x), x <= v && v < domain.n ? v : ~0u};
  }
  WARPLOOM_HD Column column_of(std::uint32_t x, std::uint32_t y) const {
    Column column;
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t v = y + i - 1;
      const Beside row = row_of(x, v);
      column.bytes[i] = row.bytes;
      column.first[i] = row.first;
      column.places[i] =
          v < domain.n ? three_of_one(static_cast<std::int32_t>(x), static_cast<std::int32_t>(v + 1)) : 0;
    }
    return column;
  }
  /// The value `bytes` into plane w, of a row that exists from plane `first` on; else zero.
  template <bool deep>
  WARPLOOM_HD float value_of(const float* plane, std::uint32_t bytes, std::uint32_t first, std::uint32_t w) const {
    const bool there = deep || (first <= w && w < domain.n);
    return there ? *reinterpret_cast<const float*>(reinterpret_cast<const char*>(plane) + bytes) : 0.f;
  }
  static WARPLOOM_HD Two of_four(const float (&value)[4]) {
    return {(value[0] + value[1]) + value[2], (value[1] + value[2]) + value[3]};
  }

  /// Carried from step to step. The first eight threads of a warp load what lies beside its columns: four rows on its
  /// left and four on its right.
  template <class Group>
  struct Walk {
    typename Group::template PerThread<Two> before, last;
    typename Group::template PerThread<TwoCounts> counts;
    typename Group::template PerThread<Column> own;
    typename Group::template PerThread<Beside> beside;
    typename Group::template PerThread<unsigned> left, right, of_beside[4];
  };

  template <bool deep, class Group>
  WARPLOOM_HD void up_planes(Group& group, const BlockView& view) const {
    // Boxes are as high as blocks, so that the planes of all threads begin at one height.
    static_assert(dimensions == 2 || Shape::threads.z == 1);
    Walk<Group> walk;
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      walk.left[thread] = (lane + warp_size - 1) % warp_size;
      walk.right[thread] = (lane + 1) % warp_size;
      walk.before[thread] = walk.last[thread] = Two{0, 0};
      if constexpr (!deep) walk.counts[thread] = {};
      const Index3 first = Shape::first(thread.index);
      const std::uint32_t x = view.origin.x + first.x, y = view.origin.y + first.y;
      walk.own[thread] = column_of(x, y);
      walk.beside[thread] = row_of(x - lane + (lane < 4 ? ~0u : warp_size), y + lane % 4 - 1);
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < 4; ++i) walk.of_beside[i][thread] = (lane < warp_size / 2 ? 0 : 4) + i;
    });
    // Where the plane to be read begins, T(w).
    std::uint64_t plane = view.origin.z > 0 ? tetrahedron_number(view.origin.z - 1) : 0;
    for (std::uint32_t step = 0; step < Shape::box.z + 2; ++step) {
      const std::uint32_t w = view.origin.z + step - 1;  // below zero wraps: no row is there
      up_plane<deep>(group, view, walk, step, w, plane);
      if (w + 1 != 0) plane += narrow_triangle_number(w + 1);
    }
  }

  template <bool deep, class Group>
  WARPLOOM_HD void up_plane(Group& group, const BlockView& view, Walk<Group>& walk, std::uint32_t step, std::uint32_t w,
                            std::uint64_t plane) const {
    typename Group::template PerThread<Two> columns, left, right;
    typename Group::template PerThread<float> outside, beside[4];
    const float* const from = in + plane;
    group.each([&](const Thread& thread) {
      const Beside& row = walk.beside[thread];
      outside[thread] = thread.index % warp_size < 8 ? value_of<deep>(from, row.bytes, row.first, w) : 0;
      const Column& own = walk.own[thread];
      float value[4];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < 4; ++i) value[i] = value_of<deep>(from, own.bytes[i], own.first[i], w);
      columns[thread] = of_four(value);
    });
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; ++i) group.shuffle(outside, walk.of_beside[i], beside[i]);
    group.shuffle(columns, walk.left, left);
    group.shuffle(columns, walk.right, right);
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      const float value[4] = {beside[0][thread], beside[1][thread], beside[2][thread], beside[3][thread]};
      const Two edge = of_four(value), l = lane == 0 ? edge : left[thread], v = columns[thread],
                r = lane == warp_size - 1 ? edge : right[thread];
      const Two now{(l.first + v.first) + r.first, (l.second + v.second) + r.second};
      const Column& own = walk.own[thread];
      float one = 1.f / 27, two = 1.f / 27;
      if constexpr (!deep) {
        TwoCounts& known = walk.counts[thread];
        std::uint32_t places[4];
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < 4; ++i) {
          // Row v begins at plane v, whatever the column.
          const std::uint32_t row = view.origin.y + Shape::first(thread.index).y + i - 1;
          places[i] = row <= w && w < domain.n ? own.places[i] : 0;
        }
        const std::uint32_t of_one = places[0] + places[1] + places[2], of_two = places[1] + places[2] + places[3];
        one = whole_reciprocal(static_cast<float>(known.before[0] + known.last[0] + of_one));
        two = whole_reciprocal(static_cast<float>(known.before[1] + known.last[1] + of_two));
        known = {{known.last[0], known.last[1]}, {of_one, of_two}};
      }
      if (step >= 2) {
        const Two a = walk.before[thread], b = walk.last[thread];
        // The plane before is the cells' own.
        char* const to = reinterpret_cast<char*>(out + (plane - narrow_triangle_number(w)));
        const auto store = [&](unsigned row, float mean) {
          if (deep || (own.first[row] <= w - 1 && w - 1 < domain.n))
            *reinterpret_cast<float*>(to + own.bytes[row]) = mean;
        };
        store(1, ((a.first + b.first) + now.first) * one);
        store(2, ((a.second + b.second) + now.second) * two);
      }
      walk.before[thread] = walk.last[thread];
      walk.last[thread] = now;
    });
  }
};

}  // namespace warploom
