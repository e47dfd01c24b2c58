#pragma once
#include "gpu/scenes/bins/kernels/space.h"

namespace warploom {

/// Groups of neighbouring bins along x, and the tile of each: all outputs that its elements may reach. As slots of a
/// compact structure follow the bins, a group's are one run. Source: shih2021cufinufft; its bins are boxes, their
/// points listed by an array of indices more.
struct TileGroups {
  BinGrid grid;
  Lattice lattice;
  // In spacings, from the first output on: so no coordinate's size is lost in roundings.
  Float3 first_face, side;
  float margin = 0;
  std::uint32_t bins_a_group = 1, groups_a_row = 1;
  Index3 most_outputs{1, 1, 1};  ///< of a tile, along each axis

  std::uint64_t count() const { return std::uint64_t{groups_a_row} * grid.bins.y * grid.bins.z; }
  /// The number of a group's first bin; of one past the last group: how many bins there are.
  WARPLOOM_HD std::uint64_t first_bin(std::uint64_t group) const {
    return group / groups_a_row * grid.bins.x + group % groups_a_row * bins_a_group;
  }

  /// The outputs along an axis that elements of bins first to last may reach. Border bins hold what lies outside, too:
  /// theirs begin, or end, with the lattice.
  WARPLOOM_HD void outputs(int axis, std::uint32_t first_bin, std::uint32_t last_bin, std::uint32_t& first,
                           std::uint32_t& end) const {
    const std::uint32_t points = coordinate(lattice.points, axis);
    // An eighth of a spacing more: 4,096 bins and outputs per axis are told apart to two thousandths.
    constexpr float slack = .125f;
    const auto last = static_cast<float>(points);
    const float low = ceilf(rounded_sum(face(axis, first_bin), -margin) - slack),
                high = floorf(rounded_sum(face(axis, last_bin + 1), margin) + slack) + 1;
    first = first_bin > 0 && low > 0 ? static_cast<std::uint32_t>(low < last ? low : last) : 0;
    end = last_bin + 1 < grid.extent(axis) && high < last ? static_cast<std::uint32_t>(high > 0 ? high : 0) : points;
  }
  WARPLOOM_HD TileBox tile(std::uint64_t group) const {
    const std::uint64_t row = group / groups_a_row;
    const std::uint32_t begin = static_cast<std::uint32_t>(group % groups_a_row) * bins_a_group,
                        y = static_cast<std::uint32_t>(row % grid.bins.y),
                        z = static_cast<std::uint32_t>(row / grid.bins.y);
    const std::uint32_t end = begin + bins_a_group < grid.bins.x ? begin + bins_a_group : grid.bins.x;
    TileBox box;
    outputs(0, begin, end - 1, box.first[0], box.end[0]);
    outputs(1, y, y, box.first[1], box.end[1]);
    outputs(2, z, z, box.first[2], box.end[2]);
    return box;
  }

 private:
  /// Rounded alike on host and device: the host says how large tiles are, the device fills them.
  WARPLOOM_HD float face(int axis, std::uint32_t bin) const {
    return rounded_sum(first_face[axis], rounded_product(side[axis], static_cast<float>(bin)));
  }
};

/// The longest groups whose tiles, of so many bytes per output, take at most `most_bytes`: the longer, the less of a
/// tile is shared with its neighbours. Throws UsageError where not even one bin's tile fits; `track`: who asks.
TileGroups tile_groups(const BinSpace& space, unsigned bytes_an_output, std::uint64_t most_bytes, const char* track);

}  // namespace warploom
