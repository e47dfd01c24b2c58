#pragma once
#include <cmath>

#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"
#include "gpu/scenes/simplex/works/write_boxes.h"

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

  /// Every operation is rounded, except the root, which is the same instruction in every shape.
  template <int Dimensions>
  WARPLOOM_HD static float distance(const Point<Dimensions>* points, Cell cell, bool& coincident) {
    const Point<Dimensions> a = points[cell.x], b = points[cell.y];
    const float x = a.x - b.x, y = a.y - b.y;
    coincident = cell.x != cell.y && x == 0 && y == 0;
    return length(x, y);
  }
  WARPLOOM_HD static float length(float x, float y) {
    return bare_square_root(rounded_sum(rounded_product(x, x), rounded_product(y, y)));
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
      typename Group::template PerThread<std::uint32_t> odd;
      group.each([&](const Thread& thread) {
        Distances of{points, write.domain.n - 1};
        write(view, thread.index, of);
        odd[thread] = of.coincident;
      });
      group.each_warp_sum(odd, [&](unsigned, std::uint32_t total) { sum.add(group.block_number(), total); });
    }

   private:
    static constexpr std::uint32_t width = BoxWriter<Shape, float>::width;
    struct Distances {
      const Point<Shape::dimensions>* points;
      std::uint32_t last;  ///< of the points
      std::uint32_t coincident = 0;
      WARPLOOM_HD float operator()(Cell cell) {
        bool odd = false;
        const float value = distance(points, cell, odd);
        coincident += odd;
        return value;
      }
      /// The points of as many columns as a pack has.
      struct Columns {
        Distances& all;
        Point<Shape::dimensions> own[width];
        WARPLOOM_HD auto pack(Cell cell, std::int32_t left) const {
          const Point<Shape::dimensions> b = all.at(cell.y);
          Pack<float, width> pack;
          float least = 1;
          WARPLOOM_UNROLL
          for (std::uint32_t i = 0; i < width; ++i) {
            pack[i] = length(own[i].x - b.x, own[i].y - b.y);
            least = fminf(least, pack[i]);
          }
          // Few distances are zero: only there looks which points coincide.
          if (!(least > 0))
            for (std::uint32_t i = 0; i < width && static_cast<std::int32_t>(i) < left; ++i)
              (void)all({cell.x + i, cell.y, cell.z});
          return pack;
        }
      };
      WARPLOOM_HD Columns columns(std::uint32_t x) {
        Columns columns{*this, {}};
        WARPLOOM_UNROLL
        for (std::uint32_t i = 0; i < width; ++i) columns.own[i] = at(x + i);
        return columns;
      }
      /// Columns and rows past the last one take the last.
      WARPLOOM_HD Point<Shape::dimensions> at(std::uint32_t i) const { return points[i < last ? i : last]; }
    };
  };
};

}  // namespace warploom
