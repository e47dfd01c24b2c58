#pragma once
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// The mean over the cell and its neighbours inside the simplex: 9 places in a triangle, 27 in a tetrahedron.
/// Memory-bound: the purpose of the layouts. A block loads its cells and the ring around them once, and sums along axis
/// after axis.
struct SimplexStencil {
  static constexpr SimplexWorkInfo info{.key = "stencil",
                                        .title = "Stencil",
                                        .description = "mean over the 9 or 27 places around",
                                        .citation = "navarro2016tetrahedra",
                                        .reads_state = true,
                                        .more_points = no_points,
                                        .bytes_per_cell = 8};
  template <int>
  using Value = float;

  static SerialValue serial(const SerialSpot& spot) {
    const int deep = spot.dimensions == 3;
    double sum = 0, count = 0;
    for (std::int64_t w = spot.z - deep; w <= spot.z + deep; ++w)
      for (std::int64_t v = spot.y - 1; v <= spot.y + 1; ++v)
        for (std::int64_t u = spot.x - 1; u <= spot.x + 1; ++u)
          if (spot.member(u, v, w)) sum += spot.start(u, v, w), ++count;
    return {sum / count, 1};
  }

  template <int Dimensions, class Storage>
  struct At {
    static constexpr unsigned most_places = Dimensions == 3 ? 12 * 12 * 12 : 34 * 34;
    /// Sums along one axis go from one tile to the other.
    template <class Group>
    struct Shared {
      typename Group::template Tile<float, most_places> tile, other;
    };
    SimplexDomain<Dimensions> domain;
    Storage in, out;
    Divider ring;  ///< rho + 2
    explicit At(const SimplexArguments<Dimensions, Storage>& with)
        : domain(with.domain), in(with.in), out(with.out), ring(with.domain.rho.divisor + 2) {}

    /// Called by all threads of a block. spot_of(thread, spot) says where a thread writes; false: nowhere.
    template <class Group, class SpotOf>
    WARPLOOM_HD void block(Group& group, Shared<Group>& shared, Cell origin, SpotOf&& spot_of) const {
      auto& tile = shared.tile;
      auto& other = shared.other;
      // Deep inside every place counts; else the places are summed, too.
      const std::uint32_t side = domain.rho.divisor;
      const Cell low{origin.x - 1, origin.y - 1, origin.z - (Dimensions == 3)};
      const bool deep = origin.x > 0 && origin.y > 0 && (Dimensions == 2 || origin.z > 0) &&
                        SimplexDomain<Dimensions>::whole_box(low, side + 2, domain.n, domain.corner);
      const auto load = [&](bool values) {
        const Index3 block = domain.block_of(origin);
        each_place(group, ring.divisor, ring.divisor, ring.divisor, [&](unsigned i, Index3 at) {
          const Cell cell{low.x + at.x, low.y + at.y, low.z + at.z};  // below zero wraps, and lies outside
          float value = 0;
          if (deep || domain.contains(cell)) value = values ? in.at(in.layout.around(block, origin, at)) : 1;
          tile[i] = value;
        });
      };
      // Sums of three along y, then x, then z, as in every shape of the stencil: each as a block of its own size.
      const auto sum = [&](Index3 thread) {
        float total = 0;
        for (std::uint32_t w = 0; w < (Dimensions == 3 ? 3u : 1u); ++w)
          total += tile[((thread.z + w) * side + thread.y) * side + thread.x];
        return total;
      };
      const auto in_planes = [&] {
        group.barrier();
        each_place(group, ring.divisor, side, ring.divisor, [&](unsigned i, Index3 at) {
          const unsigned across = ring.divisor, from = (at.z * across + at.y) * across + at.x;
          other[i] = tile[from] + tile[from + across] + tile[from + 2 * across];
        });
        group.barrier();
        each_place(group, side, side, ring.divisor, [&](unsigned i, Index3 at) {
          const unsigned from = (at.z * side + at.y) * ring.divisor + at.x;
          tile[i] = other[from] + other[from + 1] + other[from + 2];
        });
        group.barrier();
      };
      typename Group::template PerThread<float> total, places;
      group.barrier();  // no thread still reads what an earlier turn left
      load(true);
      in_planes();
      group.each([&](const Thread& thread) {
        total[thread] = sum(thread.at);
        places[thread] = Dimensions == 3 ? 27 : 9;
      });
      if (!deep) {
        group.barrier();
        load(false);
        in_planes();
        group.each([&](const Thread& thread) { places[thread] = sum(thread.at); });
      }
      group.each([&](const Thread& thread) {
        Spot spot;
        if (spot_of(thread, spot)) out.store(spot.address, total[thread] * (1 / places[thread]));
      });
    }

    /// The same of one cell, sum by sum, for threads that do not come by blocks.
    WARPLOOM_HD void single(const Spot& spot) const {
      const auto sum = [&](bool values) {
        const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
          const Cell cell{x, y, z};  // below zero wraps, and lies outside
          return domain.contains(cell) ? values ? in.load(cell) : 1.f : 0.f;
        };
        const Cell cell = spot.cell;
        const auto column = [&](std::uint32_t u, std::uint32_t w) {
          return at(u, cell.y - 1, w) + at(u, cell.y, w) + at(u, cell.y + 1, w);
        };
        float total = 0;
        for (std::uint32_t w = Dimensions == 3 ? cell.z - 1 : cell.z; w != cell.z + (Dimensions == 3 ? 2 : 1); ++w)
          total += column(cell.x - 1, w) + column(cell.x, w) + column(cell.x + 1, w);
        return total;
      };
      out.store(spot.address, sum(true) * (1 / sum(false)));
    }

   private:
    /// body(number, place) over a box of places of width x height (x depth), shared out among the threads.
    template <class Group, class Body>
    WARPLOOM_HD void each_place(Group& group, std::uint32_t width, std::uint32_t height, std::uint32_t depth,
                                Body&& body) const {
      const std::uint32_t all = width * height * (Dimensions == 3 ? depth : 1), threads = group.size();
      const bool ring_wide = width == ring.divisor, ring_high = height == ring.divisor;
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i < all; i += threads) {
          const std::uint32_t row = ring_wide ? ring.quotient(i) : domain.rho.quotient(i);
          const std::uint32_t layer = ring_high ? ring.quotient(row) : domain.rho.quotient(row);
          body(i, Index3{i - row * width, row - layer * height, layer});
        }
      });
    }
  };
};

}  // namespace warploom
