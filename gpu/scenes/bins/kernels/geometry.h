#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/core/rounded.h"
#include "gpu/core/types.h"

namespace warploom {

/// Three floats: a place, a side.
struct Float3 {
  float at[3] = {0, 0, 0};
  WARPLOOM_HD float& operator[](int axis) { return at[axis]; }
  WARPLOOM_HD float operator[](int axis) const { return at[axis]; }
  friend bool operator==(const Float3&, const Float3&) = default;
};

WARPLOOM_HD std::uint32_t coordinate(Index3 at, int axis) { return axis == 0 ? at.x : axis == 1 ? at.y : at.z; }

WARPLOOM_HD bool is_inside(Index3 at, Index3 extent) { return at.x < extent.x && at.y < extent.y && at.z < extent.z; }

/// Bins of a space: boxes of one shape, from `origin` on, x fastest. Elements outside stand in its border bins. Source:
/// obeid2010binning.
struct BinGrid {
  Float3 origin, side, per_side;  ///< per_side: 1 / side, rounded
  Index3 bins{1, 1, 1};
  bool periodic = false;
  Float3 length;  ///< of a periodic box

  WARPLOOM_HD std::uint32_t extent(int axis) const { return coordinate(bins, axis); }
  /// floor((p - origin) / side) along an axis, before it is clamped.
  WARPLOOM_HD float place(int axis, float p) const {
    return floorf(rounded_product(rounded_sum(p, -origin[axis]), per_side[axis]));
  }
  WARPLOOM_HD std::uint32_t index(int axis, float p) const {
    const float at = place(axis, p), last = static_cast<float>(extent(axis) - 1);
    // What is no number goes to the first bin: an index beyond the bins must not be.
    return static_cast<std::uint32_t>(at > 0 ? (at < last ? at : last) : 0.f);
  }
  WARPLOOM_HD Index3 bin_of(const Float3& p) const { return {index(0, p[0]), index(1, p[1]), index(2, p[2])}; }
  WARPLOOM_HD std::uint64_t number(Index3 bin) const { return linear_index(bin, bins); }
  std::uint64_t count() const { return volume(bins); }
};

/// Output points: i at origin + spacing i, x fastest.
struct Lattice {
  Float3 origin;
  float spacing = 1;
  Index3 points{1, 1, 1};

  WARPLOOM_HD float at(int axis, std::uint32_t i) const {
    return rounded_sum(origin[axis], rounded_product(spacing, static_cast<float>(i)));
  }
  std::uint64_t count() const { return volume(points); }
};

/// Outputs of a lattice, first and one past the last along each axis.
struct alignas(8) TileBox {
  std::uint32_t first[3], end[3];
  WARPLOOM_HD std::uint32_t extent(int axis) const { return end[axis] > first[axis] ? end[axis] - first[axis] : 0; }
  WARPLOOM_HD std::uint32_t columns() const { return extent(1) * extent(2); }
  WARPLOOM_HD std::uint32_t points() const { return columns() * extent(0); }
  /// Calls body(Index3) for each of them, x fastest.
  template <class Body>
  WARPLOOM_HD void each(Body&& body) const {
    for (std::uint32_t z = first[2]; z < end[2]; ++z)
      for (std::uint32_t y = first[1]; y < end[1]; ++y)
        for (std::uint32_t x = first[0]; x < end[0]; ++x) body(Index3{x, y, z});
  }
};

/// A box of bins, first and last along each axis. Of a periodic grid `first` may be below 0 or `last` beyond the bins:
/// they are wrapped, and none comes twice.
struct BinBox {
  std::int32_t first[3], last[3];
  WARPLOOM_HD std::uint32_t rows() const {
    return static_cast<std::uint32_t>(last[1] - first[1] + 1) * static_cast<std::uint32_t>(last[2] - first[2] + 1);
  }
};

}  // namespace warploom
