#pragma once
#include "gpu/core/unroll.h"
#include "gpu/scenes/simplex/works/distance_matrix.h"
#include "gpu/scenes/simplex/works/write_boxes.h"

namespace warploom {

template <>
struct WorkShapes<DistanceMatrix> {
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
        const float value = DistanceMatrix::distance(points, cell, odd);
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
            pack[i] = DistanceMatrix::length(own[i].x - b.x, own[i].y - b.y);
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
