#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/coarse.h"

namespace warploom {

/// Triplet energies by tables of pairs: with a, b, c the squared sides ij, jk, ki of a triple and X3 = x^-3/2, X5 =
/// x^-5/2,
///   E = A3 sum_k B3 C3 + 3/8 A5 sum_k (a^2 - (b - c)^2) (b + c - a) B5 C5,
/// so that a thread with a tile of pairs ij needs no root per triple; pairs jk and ki lie in shared memory, some planes
/// k at a time. Pairs whose triples lie outside weigh nothing. Where a pair is so near or far that products of powers
/// leave the range of a float, its planes are summed triple by triple, as by a thread per cell. Stacked tetrahedra
/// only.
template <class Shape, class Direct>
struct TripletTiles {
  static constexpr std::uint32_t rho = Shape::rho, wide = Shape::box.x, high = Shape::box.y,
                                 planes = rho < 16 ? rho : 16;
  static_assert(Shape::dimensions == 3 && Shape::box.z == rho && wide <= 4 && high <= 4);
  static constexpr unsigned most_threads = 256;
  static constexpr float nearest = 1e-7f, farthest = 1e7f;

  using Across = Pack<float, wide>;  // of the i of a thread
  using Down = Pack<float, high>;    // of its j
  template <class Group>
  struct Shared {
    typename Group::template Tile<Down, planes * rho / high> b, b3, b5;
    typename Group::template Tile<Across, planes * rho / wide> c, c3, c5;
    typename Group::template Tile<std::uint32_t, Shape::lanes / warp_size> strange;  ///< of each warp
  };

  SimplexDomain<3> domain;
  const Point<3>* points;
  float* out;
  SumSlots sum;
  explicit TripletTiles(const CoarseArguments<Shape, float>& with)
      : domain(with.domain), points(with.points), out(with.out), sum(with.sum) {}

  template <class Group>
  WARPLOOM_HD void block(Group& group, Shared<Group>& shared, const BlockView& view) const {
    typename Group::template PerThread<Pairs> pairs;
    typename Group::template PerThread<float> energy;
    typename Group::template PerThread<std::uint32_t> coincident;
    typename Group::template PerThread<bool> strange, strange_pairs;
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      Pairs& own = pairs[thread];
      bool any = false;
      WARPLOOM_UNROLL
      for (unsigned j = 0; j < high; ++j) WARPLOOM_UNROLL
      for (unsigned i = 0; i < wide; ++i) {
        const std::uint32_t x = view.origin.x + first.x + i, y = view.origin.y + first.y + j;
        const float square = x <= y && y < domain.n ? between(x, y + 1) : 1;
        any = any || out_of_range(square);
        own.a[j][i] = square;
        own.one[j][i] = own.two[j][i] = 0;
      }
      energy[thread] = 0;
      coincident[thread] = 0;
      strange[thread] = any;
    });
    note(group, shared, strange);
    group.barrier();
    group.each([&](const Thread& thread) { strange_pairs[thread] = noted<Group>(shared); });
    for (std::uint32_t plane = 0; plane < rho; plane += planes) {
      group.barrier();  // no thread still reads the planes before
      if (view.whole)
        tables<true>(group, shared, view, plane, strange);
      else
        tables<false>(group, shared, view, plane, strange);
      note(group, shared, strange);
      group.barrier();
      group.each([&](const Thread& thread) {
        const Index3 first = Shape::first(thread.index);
        // The same in all threads of a block.
        if (strange_pairs[thread] || noted<Group>(shared)) {
          for (std::uint32_t k = plane; k < plane + planes; ++k)
            triples({view.origin.x + first.x, view.origin.y + first.y, view.origin.z + k}, energy[thread],
                    coincident[thread]);
          return;
        }
        Pairs own = pairs[thread];
        for (std::uint32_t k = 0; k < planes; ++k) {
          const std::uint32_t down = k * (rho / high) + first.y / high, across = k * (rho / wide) + first.x / wide;
          const Down b = shared.b[down], b3 = shared.b3[down], b5 = shared.b5[down];
          const Across c = shared.c[across], c3 = shared.c3[across], c5 = shared.c5[across];
          WARPLOOM_UNROLL
          for (unsigned j = 0; j < high; ++j) WARPLOOM_UNROLL
          for (unsigned i = 0; i < wide; ++i) {
            const float a = own.a[j][i], s = b[j] + c[i], d = b[j] - c[i];
            const float q = fused_multiply_add(-d, d, a * a) * (s - a);
            own.two[j][i] = fused_multiply_add(q, b5[j] * c5[i], own.two[j][i]);
            own.one[j][i] = fused_multiply_add(b3[j], c3[i], own.one[j][i]);
          }
        }
        pairs[thread] = own;
      });
    }
    group.each([&](const Thread& thread) {
      const Index3 first = Shape::first(thread.index);
      const Pairs& own = pairs[thread];
      float total = energy[thread];
      WARPLOOM_UNROLL
      for (unsigned j = 0; j < high; ++j) WARPLOOM_UNROLL
      for (unsigned i = 0; i < wide; ++i) {
        if (view.origin.x + first.x + i > view.origin.y + first.y + j || strange_pairs[thread]) continue;
        const float root = bare_inverse_square_root(own.a[j][i]), cube = root * root * root;
        total += cube * own.one[j][i] + .375f * (cube * root * root) * own.two[j][i];
      }
      energy[thread] = total;
    });
    group.each_warp_sum(coincident, [&](unsigned, std::uint32_t total) { sum.add(group.block_number(), total); });
    group.sum_once(energy, [&](float total) { out[view.address] = total; });
  }

 private:
  struct Pairs {
    float a[high][wide], one[high][wide], two[high][wide];
  };

  /// The pairs of the planes from `plane` on; `strange`: some are out of range.
  template <bool whole, class Group, class Flags>
  WARPLOOM_HD void tables(Group& group, Shared<Group>& shared, const BlockView& view, std::uint32_t plane,
                          Flags& strange) const {
    group.each([&](const Thread& thread) {
      const std::uint32_t z = view.origin.z + plane;
      const bool down = table<whole, high>(thread.index, view.origin.y, 1, z, shared.b, shared.b3, shared.b5),
                 across = table<whole, wide>(thread.index, view.origin.x, 0, z, shared.c, shared.c3, shared.c5);
      strange[thread] = down || across;
    });
  }
  /// A thread's part of them along an axis, whose cells are `later` points after the block's first; `count` per pack.
  /// True: some are out of range.
  template <bool whole, unsigned count, class Tile>
  WARPLOOM_HD bool table(unsigned thread, std::uint32_t first, std::uint32_t later, std::uint32_t plane, Tile& squares,
                         Tile& threes, Tile& fives) const {
    bool any = false;
    for (unsigned number = thread; number < planes * rho / count; number += Shape::lanes) {
      const std::uint32_t z = plane + number / (rho / count), at = first + number % (rho / count) * count;
      Pack<float, count> square, three, five;
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < count; ++i)
        any = pair<whole>(at + i + later, z + 2, at + i <= z && z < domain.n, square[i], three[i], five[i]) || any;
      squares[number] = square;
      threes[number] = three;
      fives[number] = five;
    }
    return any;
  }

  /// Notes which warps have a flag; after a barrier all threads know whether any has.
  template <class Group, class Flags>
  WARPLOOM_HD static void note(Group& group, Shared<Group>& shared, Flags& flags) {
    typename Group::template PerThread<unsigned> set;
    group.each([&](const Thread& thread) {
      set[thread] = flags[thread];
      if (thread.index % warp_size == 0) shared.strange[thread.index / warp_size] = 0;
    });
    group.each_warp_sum(set, [&](unsigned warp, unsigned) { shared.strange[warp] = 1; });
  }
  template <class Group>
  WARPLOOM_HD static bool noted(Shared<Group>& shared) {
    std::uint32_t any = 0;
    WARPLOOM_UNROLL
    for (unsigned warp = 0; warp < Shape::lanes / warp_size; ++warp) any |= shared.strange[warp];
    return any != 0;
  }
  WARPLOOM_HD static bool out_of_range(float square) { return !(square >= nearest && square <= farthest); }
  /// The squared distance of two points; any number past the last point, which no triple inside has.
  WARPLOOM_HD float between(std::uint32_t p, std::uint32_t q) const {
    const std::uint32_t last = domain.n + 1;
    return Direct::square(points[p < last ? p : last], points[q < last ? q : last]);
  }
  /// Its powers, in a block that is whole or not. True: it is out of range.
  template <bool whole>
  WARPLOOM_HD bool pair(std::uint32_t p, std::uint32_t q, bool inside, float& square, float& three, float& five) const {
    square = whole ? Direct::square(points[p], points[q]) : inside ? between(p, q) : 1;
    const float root = bare_inverse_square_root(square);
    three = whole || inside ? root * root * root : 0;
    five = three * root * root;
    return out_of_range(square);
  }

  /// One plane of a thread's box, triple by triple; `first` is its first cell there.
  WARPLOOM_HD void triples(Cell first, float& energy, std::uint32_t& coincident) const {
    for (unsigned j = 0; j < high; ++j)
      for (unsigned i = 0; i < wide; ++i) {
        const Cell cell{first.x + i, first.y + j, first.z};
        if (!domain.contains(cell)) continue;
        bool odd = false;
        energy += Direct::energy(points[cell.x], points[cell.y + 1], points[cell.z + 2], odd);
        coincident += odd;
      }
  }
};

}  // namespace warploom
