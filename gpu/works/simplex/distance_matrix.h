#pragma once
#include <cmath>

#include "gpu/core/rounded.h"
#include "gpu/works/simplex/serial.h"
#include "gpu/works/simplex/work.h"
#include "gpu/works/simplex/write_boxes.h"

namespace warploom {

/// The Euclidean distance of points x and y at cell (x, y), the diagonal included.
struct DistanceMatrix {
  static constexpr SimplexWorkInfo info{.key = "distance_matrix",
                                        .title = "Distance matrix",
                                        .description = "Euclidean distance of points x and y",
                                        .citation = "navarro2014triangles",
                                        .more_points = 0,
                                        .odd = "coincident_pairs",
                                        .bytes_per_cell = 4};
  template <int>
  using Value = float;

  static SerialValue serial(const SerialSpot& spot) { return {std::sqrt(spot.squared(spot.x, spot.y)), 1}; }

  template <int Dimensions, class Storage>
  struct At {
    Storage out;
    const Point<Dimensions>* points;
    explicit At(const SimplexArguments<Dimensions, Storage>& with) : out(with.out), points(with.points) {}
    WARPLOOM_HD void operator()(const Spot& spot, bool& coincident) const {
      out.store(spot.address, distance(points, spot.cell, coincident));
    }
  };

  /// Each operation rounded: the same in every shape.
  template <int Dimensions>
  WARPLOOM_HD static float distance(const Point<Dimensions>* points, Cell cell, bool& coincident) {
    const Point<Dimensions> a = points[cell.x], b = points[cell.y];
    const float x = a.x - b.x, y = a.y - b.y;
    coincident = cell.x != cell.y && x == 0 && y == 0;
    return sqrtf(rounded_sum(rounded_product(x, x), rounded_product(y, y)));
  }

  template <int Dimensions>
  using Shapes = WritingShapes<Dimensions>;
  template <class Shape>
  struct Boxes {
    BoxWriter<Shape, float> write;
    const Point<Shape::dimensions>* points;
    SumSlots sum;
    explicit Boxes(const CoarseArguments<Shape, float>& with)
        : write{with.domain, with.layout, with.out}, points(with.points), sum(with.sum) {}
    template <class Group>
    WARPLOOM_HD void block(Group& group, const BlockView& view) const {
      typename Group::template PerLane<std::uint32_t> odd;
      group.each([&](const Thread& thread) {
        Distances of{points};
        write(view, thread.index, of);
        odd[thread] = of.coincident;
      });
      group.each_warp_sum(odd, [&](unsigned, std::uint32_t total) { sum.add(group.block_number(), total); });
    }

   private:
    struct Distances {
      const Point<Shape::dimensions>* points;
      std::uint32_t coincident = 0;
      WARPLOOM_HD float operator()(Cell cell) {
        bool odd = false;
        const float value = distance(points, cell, odd);
        coincident += odd;
        return value;
      }
      WARPLOOM_HD auto pack(Cell cell) {
        constexpr std::uint32_t width = BoxWriter<Shape, float>::width;
        const Point<Shape::dimensions> b = points[cell.y];
        Pack<float, width> all;
        float least = 1;
        WARPLOOM_UNROLL
        for (std::uint32_t i = 0; i < width; ++i) {
          const Point<Shape::dimensions> a = points[cell.x + i];
          const float x = a.x - b.x, y = a.y - b.y;
          all[i] = sqrtf(rounded_sum(rounded_product(x, x), rounded_product(y, y)));
          least = fminf(least, all[i]);
        }
        // Few are at no distance: of those it is looked who is there.
        if (!(least > 0))
          for (std::uint32_t i = 0; i < width; ++i) (void)(*this)({cell.x + i, cell.y, cell.z});
        return all;
      }
    };
  };
};

}  // namespace warploom
