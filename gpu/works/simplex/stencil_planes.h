#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/works/simplex/coarse.h"
#include "gpu/works/simplex/neighbour_counts.h"

namespace warploom {

/// The stencil of a tetrahedron in blocked layout: a thread has four cells along x and walks up the planes. Planes come
/// ahead into a ring in shared memory, with the rows and columns around them; what no block has comes as zero. Sums
/// along y, then x, then z.
template <class Shape>
struct StencilPlanes {
  static constexpr std::uint32_t rho = Shape::rho, quads = rho / 4, rows = rho + 2, steps = Shape::box.z;
  static_assert(Shape::box.x == 4 && Shape::box.y == 1 && Shape::dimensions == 3);
  /// Planes under way, and in the ring: the one last read is overwritten.
  static constexpr std::uint32_t ahead = 4, stages = ahead + 1;
  static constexpr unsigned most_threads = 256;
  /// 64 registers a thread: above, too few warps wait for memory at once; below, they spill.
  static constexpr unsigned least_blocks = 4;
  static constexpr std::uint32_t layers = Shape::threads.z;        ///< of threads, each with its planes
  static constexpr std::uint32_t threads = Shape::lanes / layers;  ///< of a layer

  using Quad = Pack<float, 4>;
  /// A stage a layer of threads: their planes are different ones.
  template <class Group>
  struct Shared {
    typename Group::template Tile<Quad, stages * layers * rows * quads> cells;
    typename Group::template Tile<float, stages * layers * rows * 2> sides;  ///< left, then right
  };

  SimplexDomain<3> domain;
  typename Shape::Layout layout;
  const float* in;
  float* out;
  explicit StencilPlanes(const CoarseArguments<Shape, float>& with)
      : domain(with.domain), layout(with.layout), in(with.in), out(with.out) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, Shared<Group>& shared, const BlockView& view) const {
    typename Group::template PerLane<Source> source;
    group.barrier();  // nobody still reads what an earlier turn left
    WARPLOOM_UNROLL
    for (std::uint32_t step = 0; step < ahead; ++step) {
      copy_plane(group, shared, view, step, step, source);
      group.end_copies();
    }
    if (deep_box(domain, view.origin, rho))
      walk<true>(group, shared, view, source);
    else
      walk<false>(group, shared, view, source);
  }

 private:
  static constexpr std::uint32_t cells_each = (rows * quads + threads - 1) / threads,
                                 sides_each = (rows * 2 + threads - 1) / threads;

  /// Where the values that a thread copies come from, in the plane that is copied next: elements from the block's
  /// first.
  struct Source {
    std::int32_t cells[cells_each], sides[sides_each];
    bool cells_there[cells_each], sides_there[sides_each];
  };

  /// Places of the last two planes.
  struct Counts {
    std::uint32_t before, last;
  };

  /// The block so many steps beside, from -1 to rho along each axis, and how many elements further its cell lies.
  WARPLOOM_HD bool look(const BlockView& view, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t& at) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    const int dx = x < 0 ? -1 : x >= side, dy = y < 0 ? -1 : y >= side, dz = z < 0 ? -1 : z >= side;
    at = ((z - dz * side) * side + (y - dy * side)) * side + (x - dx * side);
    if ((dx | dy | dz) == 0) return true;
    if (!domain.beside(view.block, dx, dy, dz)) return false;
    at += layout.delta(view.block, dx, dy, dz);
    return true;
  }

  /// Plane `step` of a layer's own, of steps + 2, into a stage.
  template <class Group, class Sources>
  WARPLOOM_HD void copy_plane(Group& group, Shared<Group>& shared, const BlockView& view, std::uint32_t step,
                              std::uint32_t stage, Sources& sources) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    const float* const from = in + view.address;
    group.each([&](const Thread& thread) {
      const std::uint32_t layer = thread.index / threads, own = thread.index % threads;
      const auto z = static_cast<std::int32_t>(layer * steps + step) - 1;
      Source& source = sources[thread];
      // The planes of a block follow each other; where another begins, all is looked up anew.
      const bool anew = step == 0 || (layers == 1 ? step == 1 || step == rho + 1 : z == 0 || z == side);
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < cells_each; ++i) {
        const std::uint32_t number = own + i * threads, row = number / quads, quad = number % quads;
        if (number >= rows * quads) continue;
        if (anew)
          source.cells_there[i] =
              look(view, static_cast<std::int32_t>(4 * quad), static_cast<std::int32_t>(row) - 1, z, source.cells[i]);
        else
          source.cells[i] += side * side;
        group.copy_async_or_zero(shared.cells, (stage * layers + layer) * rows * quads + number,
                                 reinterpret_cast<const Quad*>(from + (source.cells_there[i] ? source.cells[i] : 0)),
                                 source.cells_there[i]);
      }
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < sides_each; ++i) {
        const std::uint32_t number = own + i * threads, row = number / 2;
        if (number >= rows * 2) continue;
        if (anew)
          source.sides_there[i] =
              look(view, number % 2 ? side : -1, static_cast<std::int32_t>(row) - 1, z, source.sides[i]);
        else
          source.sides[i] += side * side;
        group.copy_async_or_zero(shared.sides, (stage * layers + layer) * rows * 2 + number,
                                 from + (source.sides_there[i] ? source.sides[i] : 0), source.sides_there[i]);
      }
    });
  }

  template <bool deep, class Group, class Sources>
  WARPLOOM_HD void walk(Group& group, Shared<Group>& shared, const BlockView& view, Sources& sources) const {
    typename Group::template PerLane<Quad> columns, before, last;
    typename Group::template PerLane<float> left, right, from_left, from_right;
    typename Group::template PerLane<unsigned> lane_left, lane_right;
    typename Group::template PerLane<Counts> counts;
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      lane_left[thread] = lane > 0 ? lane - 1 : 0;
      lane_right[thread] = lane < warp_size - 1 ? lane + 1 : lane;
      if constexpr (!deep) counts[thread] = {};
    });
    std::uint32_t stage = 0;
    const auto one = [&](std::uint32_t step) {
      group.template copied<ahead - 1>();
      group.barrier();
      group.each([&](const Thread& thread) {
        const std::uint32_t layer = thread.index / threads, own = thread.index % threads, quad = own % quads,
                            row = own / quads;
        const unsigned at = ((stage * layers + layer) * rows + row) * quads + quad;
        const Quad a = shared.cells[at], b = shared.cells[at + quads], c = shared.cells[at + 2 * quads];
        Quad sum;
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < 4; ++i) sum[i] = (a[i] + b[i]) + c[i];
        columns[thread] = sum;
        right[thread] = sum[0];
        left[thread] = sum[3];
      });
      // A thread's neighbours along x are its neighbours in the warp.
      group.shuffle(left, lane_left, from_left);
      group.shuffle(right, lane_right, from_right);
      group.each([&](const Thread& thread) {
        const std::uint32_t layer = thread.index / threads, own = thread.index % threads, quad = own % quads,
                            row = own / quads;
        const unsigned at = ((stage * layers + layer) * rows + row) * 2;
        float l = from_left[thread], r = from_right[thread];
        if (quad == 0) l = (shared.sides[at] + shared.sides[at + 2]) + shared.sides[at + 4];
        if (quad == quads - 1) r = (shared.sides[at + 1] + shared.sides[at + 3]) + shared.sides[at + 5];
        const Quad v = columns[thread];
        Quad plane;
        plane[0] = (l + v[0]) + v[1];
        plane[1] = (v[0] + v[1]) + v[2];
        plane[2] = (v[1] + v[2]) + v[3];
        plane[3] = (v[2] + v[3]) + r;
        const Cell cell{view.origin.x + 4 * quad, view.origin.y + row, view.origin.z + layer * steps + step - 1};
        std::uint32_t places = 0;
        if constexpr (!deep) {
          Counts& known = counts[thread];
          const std::uint32_t now = places_in_plane(domain, cell, three_of_four);
          places = known.before + known.last + now;
          known = {known.last, now};
        }
        if (step >= 2) {
          // The plane before is the cell's own.
          const Quad first = before[thread], second = last[thread];
          Quad mean;
          const std::int32_t inside = deep || view.whole ? 4 : domain.row_left({cell.x, cell.y, cell.z - 1});
          WARPLOOM_UNROLL
          for (unsigned i = 0; i < 4; ++i) {
            const float of = deep ? 1.f / 27 : 1 / static_cast<float>(places >> (8 * i) & 0xff);
            mean[i] = static_cast<std::int32_t>(i) < inside ? ((first[i] + second[i]) + plane[i]) * of : 0;
          }
          const std::uint32_t to = ((layer * steps + step - 2) * rho + row) * rho + 4 * quad;
          store_pack(out + view.address + to, mean);
        }
        before[thread] = last[thread];
        last[thread] = plane;
      });
      if (step + ahead < steps + 2) copy_plane(group, shared, view, step + ahead, next(stage), sources);
      group.end_copies();
      stage = stage + 1 == stages ? 0 : stage + 1;
    };
    group.each([&](const Thread& thread) { before[thread] = last[thread] = Quad{}; });
    for (std::uint32_t step = 0; step < steps + 2; ++step) one(step);
    group.template copied<0>();
  }
  /// The stage that is free: it was read a step ago.
  WARPLOOM_HD static std::uint32_t next(std::uint32_t stage) { return stage == 0 ? stages - 1 : stage - 1; }
};

/// The stencil of a triangle in blocked layout: a thread has four cells along x and walks down the rows.
template <class Shape>
struct StencilRows {
  static constexpr std::uint32_t rho = Shape::rho, steps = Shape::box.y;
  static_assert(Shape::box.x == 4 && Shape::dimensions == 2);
  static constexpr unsigned most_threads = 512;

  SimplexDomain<2> domain;
  typename Shape::Layout layout;
  const float* in;
  float* out;
  explicit StencilRows(const CoarseArguments<Shape, float>& with)
      : domain(with.domain), layout(with.layout), in(with.in), out(with.out) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, const BlockView& view) const {
    const bool deep = deep_box(domain, view.origin, rho);
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      const auto top = static_cast<std::int32_t>(first.y);
      Six above = row(view, first.x, top - 1), own = row(view, first.x, top);
      for (std::uint32_t step = 0; step < steps; ++step) {
        const Six below = row(view, first.x, top + static_cast<std::int32_t>(step) + 1);
        const Cell cell{view.origin.x + first.x, view.origin.y + first.y + step, 0};
        const std::int32_t inside = domain.row_left(cell);
        const std::uint32_t places = deep ? 0x09090909 : places_in_plane(domain, cell, three_of_four);
        float column[6];
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < 6; ++i) column[i] = (above.value[i] + own.value[i]) + below.value[i];
        Pack<float, 4> mean;
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < 4; ++i)
          mean[i] = static_cast<std::int32_t>(i) < inside ? ((column[i] + column[i + 1]) + column[i + 2]) *
                                                                (1 / static_cast<float>(places >> (8 * i) & 0xff))
                                                          : 0;
        const std::uint32_t at = (first.y + step) * rho + first.x;
        store_pack(out + view.address + at, mean);
        above = own;
        own = below;
      }
    });
  }

 private:
  /// Four cells with the ones before and after.
  struct Six {
    float value[6];
  };
  WARPLOOM_HD Six row(const BlockView& view, std::uint32_t x, std::int32_t y) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    const int over = y < 0 ? -1 : y >= side;
    const std::int32_t in_row = (y - over * side) * side;
    Six six{};
    const auto of = [&](int beside, std::int32_t at, bool& there) {
      there = true;
      std::int32_t further = 0;
      if (beside || over) {
        there = domain.beside(view.block, beside, over, 0);
        if (there) further = layout.delta(view.block, beside, over, 0);
      }
      return in + view.address + (there ? further + in_row + at : 0);
    };
    bool there = false;
    const auto at = static_cast<std::int32_t>(x);
    const float* const own = of(0, at, there);
    if (there) {
      const auto pack = load_pack<4>(own);
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < 4; ++i) six.value[i + 1] = pack[i];
    }
    const float* const before = of(x > 0 ? 0 : -1, x > 0 ? at - 1 : side - 1, there);
    if (there) six.value[0] = *before;
    const float* const after = of(x + 4 < rho ? 0 : 1, x + 4 < rho ? at + 4 : 0, there);
    if (there) six.value[5] = *after;
    return six;
  }
};

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
