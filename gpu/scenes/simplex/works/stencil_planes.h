#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/coarse.h"
#include "gpu/scenes/simplex/works/neighbour_counts.h"

namespace warploom {

/// The stencil of a tetrahedron in blocked layout: a thread has four cells along x and walks up the planes. Planes are
/// copied ahead into a ring in shared memory, with the rows and columns around them, and zero where there is no block.
/// Sums along y, then x, then z.
template <class Shape>
struct StencilPlanes {
  static constexpr std::uint32_t rho = Shape::rho, quads = rho / 4, rows = rho + 2, steps = Shape::box.z;
  static_assert(Shape::box.x == 4 && Shape::box.y == 1 && Shape::dimensions == 3);
  /// Planes under way, and in the ring: the one last read is overwritten.
  static constexpr std::uint32_t ahead = 4, stages = ahead + 1;
  static constexpr unsigned most_threads = 256;
  /// 64 registers per thread: with more, too few warps wait for memory at once; with fewer, they spill.
  static constexpr unsigned least_blocks = 4;
  static constexpr std::uint32_t layers = Shape::threads.z;        ///< of threads, each with its planes
  static constexpr std::uint32_t threads = Shape::lanes / layers;  ///< of a layer

  using Quad = Pack<float, 4>;
  /// A stage per layer of threads, whose planes differ.
  template <class Group>
  struct Shared {
    typename Group::template Tile<Quad, stages * layers * rows * quads> cells;
    typename Group::template Tile<float, stages * layers * rows * 2> sides;  ///< left, then right
  };

  typename Shape::Layout layout;
  const float* in;
  float* out;
  explicit StencilPlanes(const CoarseArguments<Shape, float>& with) : layout(with.layout), in(with.in), out(with.out) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, Shared<Group>& shared, const BlockView& view) const {
    group.barrier();  // no thread still reads what an earlier turn left
    Shape::by_kind(layout.domain.corner, [&](bool corner) {
      const typename Shape::Layout known = Shape::known(layout, corner);
      if (deep_box(known.domain, view.origin, rho))
        walk<true>(group, shared, known, view);
      else
        walk<false>(group, shared, known, view);
    });
  }

 private:
  static constexpr std::uint32_t cells_each = (rows * quads + threads - 1) / threads,
                                 sides_each = (rows * 2 + threads - 1) / threads;

  /// Where a thread copies from, in the next plane.
  struct Source {
    const float *cells[cells_each], *sides[sides_each];
    bool cells_there[cells_each], sides_there[sides_each];
  };

  /// Places in the last two planes, and in the rows of every plane that has them.
  struct Counts {
    std::uint32_t before, last;
    RowsAround around;
  };

  /// Finds a cell of this block or a neighbour, by its place from -1 to rho along each axis. Where there is no block:
  /// false, and the block's first cell, which later planes may safely follow. `deep`: there is one.
  template <bool deep>
  WARPLOOM_HD bool look(const typename Shape::Layout& known, const BlockView& view, std::int32_t x, std::int32_t y,
                        std::int32_t z, const float*& at) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    const int dx = x < 0 ? -1 : x >= side, dy = y < 0 ? -1 : y >= side, dz = z < 0 ? -1 : z >= side;
    at = in + view.address;
    if (!deep && (dx | dy | dz) && !known.domain.beside(view.block, dx, dy, dz)) return false;
    std::int32_t further = ((z - dz * side) * side + (y - dy * side)) * side + (x - dx * side);
    if (dx | dy | dz) further += known.delta(view.block, dx, dy, dz);
    at += further;
    return true;
  }

  /// Copies plane `step` of the steps + 2 of a layer into a stage.
  template <bool deep, class Group, class Sources>
  WARPLOOM_HD void copy_plane(Group& group, Shared<Group>& shared, const typename Shape::Layout& known,
                              const BlockView& view, std::uint32_t step, std::uint32_t stage, Sources& sources) const {
    constexpr auto side = static_cast<std::int32_t>(rho);
    group.each([&](const Thread& thread) {
      const std::uint32_t layer = thread.index / threads, own = thread.index % threads;
      const auto z = static_cast<std::int32_t>(layer * steps + step) - 1;
      Source& source = sources[thread];
      // The planes of a block follow each other. Where another block begins, at the second or last plane of a layer of
      // threads, all is looked up anew.
      const bool anew = step == 0 || ((step == 1 || step == steps + 1) && (layers == 1 || z == 0 || z == side));
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < cells_each; ++i) {
        const std::uint32_t number = own + i * threads, row = number / quads, quad = number % quads;
        if (number >= rows * quads) continue;
        if (anew)
          source.cells_there[i] = look<deep>(known, view, static_cast<std::int32_t>(4 * quad),
                                             static_cast<std::int32_t>(row) - 1, z, source.cells[i]);
        else
          source.cells[i] += side * side;
        group.copy_async_or_zero(shared.cells, (stage * layers + layer) * rows * quads + number,
                                 reinterpret_cast<const Quad*>(source.cells[i]), deep || source.cells_there[i]);
      }
      WARPLOOM_UNROLL
      for (std::uint32_t i = 0; i < sides_each; ++i) {
        const std::uint32_t number = own + i * threads, row = number / 2;
        if (number >= rows * 2) continue;
        if (anew)
          source.sides_there[i] =
              look<deep>(known, view, number % 2 ? side : -1, static_cast<std::int32_t>(row) - 1, z, source.sides[i]);
        else
          source.sides[i] += side * side;
        group.copy_async_or_zero(shared.sides, (stage * layers + layer) * rows * 2 + number, source.sides[i],
                                 deep || source.sides_there[i]);
      }
    });
  }

  /// Carried from step to step.
  template <class Group>
  struct Walk {
    typename Group::template PerThread<Source> sources;
    typename Group::template PerThread<Quad> before, last;
    typename Group::template PerThread<unsigned> lane_left, lane_right;
    typename Group::template PerThread<Counts> counts;
  };

  template <bool deep, class Group>
  WARPLOOM_HD void walk(Group& group, Shared<Group>& shared, const typename Shape::Layout& known,
                        const BlockView& view) const {
    Walk<Group> own;
    WARPLOOM_UNROLL
    for (std::uint32_t step = 0; step < ahead; ++step) {
      copy_plane<deep>(group, shared, known, view, step, step, own.sources);
      group.end_copies();
    }
    group.each([&](const Thread& thread) {
      const unsigned lane = thread.index % warp_size;
      own.lane_left[thread] = (lane + warp_size - 1) % warp_size;
      own.lane_right[thread] = (lane + 1) % warp_size;
      own.before[thread] = own.last[thread] = Quad{};
      if constexpr (!deep) {
        const std::uint32_t in_layer = thread.index % threads;
        own.counts[thread] = {
            0, 0, RowsAround(known.domain, view.origin.x + 4 * (in_layer % quads), view.origin.y + in_layer / quads)};
      }
    });
    if constexpr (deep && steps <= 16) {
      // Unrolled: what needs no memory is known at compile time.
      WARPLOOM_UNROLL
      for (std::uint32_t step = 0; step < steps + 2; ++step)
        one<deep>(group, shared, known, view, step, step % stages, own);
    } else {
      std::uint32_t stage = 0;
      WARPLOOM_UNROLL_NONE
      for (std::uint32_t step = 0; step < steps + 2; ++step) {
        one<deep>(group, shared, known, view, step, stage, own);
        stage = stage + 1 == stages ? 0 : stage + 1;
      }
    }
    group.template copied<0>();
  }

  template <bool deep, class Group>
  WARPLOOM_HD void one(Group& group, Shared<Group>& shared, const typename Shape::Layout& known, const BlockView& view,
                       std::uint32_t step, std::uint32_t stage, Walk<Group>& own) const {
    typename Group::template PerThread<Quad> columns;
    typename Group::template PerThread<float> left, right, from_left, from_right;
    group.template copied<ahead - 1>();
    group.barrier();
    group.each([&](const Thread& thread) {
      const std::uint32_t layer = thread.index / threads, in_layer = thread.index % threads;
      const unsigned at = (stage * layers + layer) * rows * quads + in_layer;
      const Quad a = shared.cells[at], b = shared.cells[at + quads], c = shared.cells[at + 2 * quads];
      Quad sum;
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < 4; ++i) sum[i] = (a[i] + b[i]) + c[i];
      columns[thread] = sum;
      right[thread] = sum[0];
      left[thread] = sum[3];
    });
    // A thread's neighbours along x are its neighbours in the warp.
    group.shuffle(left, own.lane_left, from_left);
    group.shuffle(right, own.lane_right, from_right);
    group.each([&](const Thread& thread) {
      const std::uint32_t layer = thread.index / threads, in_layer = thread.index % threads, quad = in_layer % quads,
                          row = in_layer / quads;
      const unsigned at = ((stage * layers + layer) * rows + row) * 2;
      // The first and the last thread of a row take what lies beside the block: left, then right.
      static_assert(quads > 1);
      float side = 0;
      if (quad == 0 || quad == quads - 1) {
        const unsigned own_side = at + (quad != 0);
        side = (shared.sides[own_side] + shared.sides[own_side + 2]) + shared.sides[own_side + 4];
      }
      const float l = quad == 0 ? side : from_left[thread], r = quad == quads - 1 ? side : from_right[thread];
      const Quad v = columns[thread];
      Quad plane;
      plane[0] = (l + v[0]) + v[1];
      plane[1] = (v[0] + v[1]) + v[2];
      plane[2] = (v[1] + v[2]) + v[3];
      plane[3] = (v[2] + v[3]) + r;
      const Cell cell{view.origin.x + 4 * quad, view.origin.y + row, view.origin.z + layer * steps + step - 1};
      std::uint32_t places = 0;
      if constexpr (!deep) {
        Counts& counts = own.counts[thread];
        const std::uint32_t now = counts.around.in_plane(known.domain, cell);
        places = counts.before + counts.last + now;
        counts.before = counts.last;
        counts.last = now;
      }
      if (step >= 2) {
        // The plane before is the cell's own.
        const Quad first = own.before[thread], second = own.last[thread];
        Quad mean;
        const std::int32_t inside = deep || view.whole ? 4 : known.domain.row_left({cell.x, cell.y, cell.z - 1});
        WARPLOOM_UNROLL
        for (unsigned i = 0; i < 4; ++i) {
          const float of = deep ? 1.f / 27 : whole_reciprocal(static_cast<float>(places >> (8 * i) & 0xff)),
                      value = ((first[i] + second[i]) + plane[i]) * of;
          mean[i] = static_cast<std::int32_t>(i) < inside ? value : 0;
        }
        const std::uint32_t to = ((layer * steps + step - 2) * rho + row) * rho + 4 * quad;
        store_pack(out + view.address + to, mean);
      }
      own.before[thread] = own.last[thread];
      own.last[thread] = plane;
    });
    // Into the free stage: it was read a step ago.
    if (step + ahead < steps + 2)
      copy_plane<deep>(group, shared, known, view, step + ahead, stage == 0 ? stages - 1 : stage - 1, own.sources);
    group.end_copies();
  }
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
  /// Four cells, with the one before and the one after.
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

}  // namespace warploom
