#pragma once
#include <cmath>

#include "gpu/works/simplex/serial.h"
#include "gpu/works/simplex/work.h"

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
      const Point<Dimensions> a = points[spot.cell.x], b = points[spot.cell.y];
      const float x = a.x - b.x, y = a.y - b.y, distance = sqrtf(x * x + y * y);
      coincident = spot.cell.x != spot.cell.y && x == 0 && y == 0;
      out.store(spot.address, distance);
    }
  };
};

}  // namespace warploom
