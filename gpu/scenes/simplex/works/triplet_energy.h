#pragma once
#include <cmath>

#include "gpu/core/rounded.h"
#include "gpu/scenes/simplex/works/serial.h"
#include "gpu/scenes/simplex/works/work.h"

namespace warploom {

/// The three-body energy of Axilrod and Teller [axilrod1943triple] over unique triples, strength one:
/// (1 + 3 cos a cos b cos c) / (r12 r23 r31)^3. Cell (x, y, z) of the stacked tetrahedron is the triple of points
/// (x, y + 1, z + 2). Blocks hold the sum over their triples; triples of coincident points add nothing and are counted.
struct TripletEnergy {
  static constexpr SimplexWorkInfo info{.key = "triplet_energy",
                                        .title = "Triplet energy",
                                        .description = "Axilrod-Teller energy of triples, a sum per block",
                                        .citation = "axilrod1943triple",
                                        .per_block = true,
                                        .more_points = 2,
                                        .odd = "coincident_triples"};
  template <int>
  using Value = float;

  /// The cosines by the law of cosines, side by side.
  static SerialValue serial(const SerialSpot& spot) {
    const std::int64_t i = spot.x, j = spot.y + 1, k = spot.z + 2;
    const double a = std::sqrt(spot.squared(j, k)), b = std::sqrt(spot.squared(k, i)),
                 c = std::sqrt(spot.squared(i, j));
    if (a == 0 || b == 0 || c == 0) return {0, 0};
    const double cosines = ((b * b + c * c - a * a) / (2 * b * c)) * ((c * c + a * a - b * b) / (2 * c * a)) *
                           ((a * a + b * b - c * c) / (2 * a * b));
    const double cube = std::pow(a * b * c, 3);
    return {(1 + 3 * cosines) / cube, 1 / cube};
  }

  template <int Dimensions, class Storage>
  struct At {
    SimplexDomain<Dimensions> domain;
    const Point<Dimensions>* points;
    explicit At(const SimplexArguments<Dimensions, Storage>& with) : domain(with.domain), points(with.points) {}

    WARPLOOM_HD float operator()(const Spot& spot, bool& coincident) const {
      const Index3 at = domain.stacked(spot.cell);
      return energy(points[at.x], points[at.y + 1], points[at.z + 2], coincident);
    }
  };

  WARPLOOM_HD static float square(const Point<3>& p, const Point<3>& q) {
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return x * x + y * y + z * z;
  }
  WARPLOOM_HD static float energy(const Point<3>& i, const Point<3>& j, const Point<3>& k, bool& coincident) {
    const float a = square(i, j), b = square(j, k), c = square(k, i);
    // Squares below the least normal number count as zero: the points are as good as coincident.
    constexpr float least = 1.17549435e-38f;
    coincident = !(a >= least && b >= least && c >= least);
    if (coincident) return 0;
    // The cosines by the squared sides: their product is the product of three differences over 8 a b c.
    const float inverse = bare_inverse_square_root(a) * bare_inverse_square_root(b) * bare_inverse_square_root(c);
    const float cosines = (a + b - c) * inverse * ((b + c - a) * inverse) * (c + a - b) * .375f;
    return (1 + cosines) * inverse * inverse * inverse;
  }
};

}  // namespace warploom
