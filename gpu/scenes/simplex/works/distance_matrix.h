#pragma once
#include <cmath>

#include "gpu/core/rounded.h"
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

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
};

}  // namespace warploom
