#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/works/simplex/coarse.h"
#include "gpu/works/simplex/neighbour_counts.h"

namespace warploom {

/// The stencil in linear layout, of domains whose rows lie together. Of a tetrahedron a thread has two rows' cells, and
/// walks up the planes; its neighbours along x are its neighbours in the warp. Of a triangle it walks down the rows.
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
  /// Two rows of what each step gives.
  struct Two {
    float first, second;
  };

  /// What four rows of a column have in every plane: where they lie, from which plane on, and places beside the column.
  struct Column {
    std::uint32_t at[4], first[4], places[4];
  };
  WARPLOOM_HD Column column_of(std::uint32_t x, std::uint32_t y) const {
    Column column;
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t v = y + i - 1;  // below zero wraps, and is in no plane
      column.at[i] = narrow_triangle_number(v) + x;
      column.first[i] = x <= v && v < domain.n ? v : ~0u;
      column.places[i] =
          v < domain.n ? three_of_one(static_cast<std::int32_t>(x), static_cast<std::int32_t>(v + 1)) : 0;
    }
    return column;
  }
  /// The sums along y at (x, y, w) and (x, y + 1, w), from where plane w begins.
  template <bool deep>
  WARPLOOM_HD Two sums(const float* plane, const Column& column, std::uint32_t w) const {
    float value[4];
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      const bool there = deep || (column.first[i] <= w && w < domain.n);
      value[i] = there ? plane[column.at[i]] : 0;
    }
    return {(value[0] + value[1]) + value[2], (value[1] + value[2]) + value[3]};
  }

  template <bool deep, class Group>
  WARPLOOM_HD void up_planes(Group& group, const BlockView& view) const {
    typename Group::template PerLane<Two> columns, edge, left, right, before, last;
    typename Group::template PerLane<TwoCounts> counts;
    typename Group::template PerLane<Column> own, beside;
    typename Group::template PerLane<unsigned> lane_left, lane_right;
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      lane_left[thread] = lane > 0 ? lane - 1 : 0;
      lane_right[thread] = lane < warp_size - 1 ? lane + 1 : lane;
      before[thread] = last[thread] = Two{0, 0};
      if constexpr (!deep) counts[thread] = {};
      const Index3 first = Shape::first(thread.index);
      const std::uint32_t x = view.origin.x + first.x, y = view.origin.y + first.y;
      own[thread] = column_of(x, y);
      beside[thread] = column_of(lane == 0 ? x - 1 : x + 1, y);
    });
    constexpr std::uint32_t steps = Shape::box.z;
    // Of threads above each other the planes begin at one height: boxes are as high as blocks.
    static_assert(dimensions == 2 || Shape::threads.z == 1);
    // Where the plane begins that is read, T(w).
    std::uint64_t plane = view.origin.z > 0 ? tetrahedron_number(view.origin.z - 1) : 0;
    for (std::uint32_t step = 0; step < steps + 2; ++step) {
      const std::uint32_t w = view.origin.z + step - 1;  // below zero wraps: no row is there
      const float* const from = in + plane;
      group.each([&](const Thread& thread) {
        const unsigned lane = thread.index % warp_size;
        columns[thread] = sums<deep>(from, own[thread], w);
        // What lies beside the warp's cells.
        edge[thread] = lane == 0 || lane == warp_size - 1 ? sums<deep>(from, beside[thread], w) : Two{0, 0};
      });
      group.shuffle(columns, lane_left, left);
      group.shuffle(columns, lane_right, right);
      group.each([&](const Thread& thread) {
        const unsigned lane = thread.index % warp_size;
        const Two l = lane == 0 ? edge[thread] : left[thread], v = columns[thread],
                  r = lane == warp_size - 1 ? edge[thread] : right[thread];
        const Two now{(l.first + v.first) + r.first, (l.second + v.second) + r.second};
        const Column& column = own[thread];
        std::uint32_t first_places = 27, second_places = 27;
        if constexpr (!deep) {
          TwoCounts& known = counts[thread];
          std::uint32_t places[4];
          WARPLOOM_UNROLL
          for (unsigned i = 0; i < 4; ++i) {
            // Row v begins at plane v, whatever the column.
            const std::uint32_t row = view.origin.y + Shape::first(thread.index).y + i - 1;
            places[i] = row <= w && w < domain.n ? column.places[i] : 0;
          }
          const std::uint32_t one = places[0] + places[1] + places[2], two = places[1] + places[2] + places[3];
          first_places = known.before[0] + known.last[0] + one;
          second_places = known.before[1] + known.last[1] + two;
          known = {{known.last[0], known.last[1]}, {one, two}};
        }
        if (step >= 2) {
          const Two a = before[thread], b = last[thread];
          float* const to = out + (plane - narrow_triangle_number(w));
          const bool plane_there = deep || w - 1 < domain.n;
          if (plane_there && (deep || column.first[1] <= w - 1))
            to[column.at[1]] =
                ((a.first + b.first) + now.first) * (deep ? 1.f / 27 : 1 / static_cast<float>(first_places));
          if (plane_there && (deep || column.first[2] <= w - 1))
            to[column.at[2]] =
                ((a.second + b.second) + now.second) * (deep ? 1.f / 27 : 1 / static_cast<float>(second_places));
        }
        before[thread] = last[thread];
        last[thread] = now;
      });
      if (w + 1 != 0) plane += narrow_triangle_number(w + 1);
    }
  }
};

}  // namespace warploom
