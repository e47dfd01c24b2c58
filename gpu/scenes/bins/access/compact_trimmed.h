#pragma once
#include "gpu/scenes/bins/access/access.h"

namespace warploom {

/// Rows cut to the bins that the ball about the outputs meets; of their elements each warp tests those that meet the
/// ball about its own.
struct CompactTrimmed {
  static constexpr BinAccessInfo info{
      .name = "compact/trimmed",
      .description =
          "no padding; a run for each row of bins, cut to those that the ball about the outputs meets; a warp "
          "tests what may reach its own (CSR)",
      .reads_a_row = 2,
      .culls = true};
  template <class Body>
  WARPLOOM_HD static void row(const BinGrid& grid, const Reach& reach, const BinBox& box, std::int32_t y,
                              std::int32_t z, Body&& body) {
    const float dz = distance(grid, reach, 2, z, box), dy = distance(grid, reach, 1, y, box);
    const float left = reach.margin * reach.margin - dz * dz - dy * dy;
    if (left < 0) return;
    std::int32_t first = box.first[0], last = box.last[0];
    if (!grid.periodic || last - first + 1 < static_cast<std::int32_t>(grid.bins.x)) {
      // Half a thousandth of a bin more: the root is rounded, too.
      const float more = sqrtf(left) + grid.side[0] / 2048;
      const float from = rounded_sum(reach.low[0], -more), to = rounded_sum(reach.high[0], more);
      const auto cut = [&](float at) {
        return grid.periodic ? static_cast<std::int32_t>(grid.place(0, at))
                             : static_cast<std::int32_t>(grid.index(0, at));
      };
      first = first < cut(from) ? cut(from) : first;
      last = last > cut(to) ? cut(to) : last;
    }
    row_parts(grid, first, last, y, z, body);
  }
  template <class Body>
  WARPLOOM_HD static void runs(const BinSlots& slots, const BinRow& row, Body&& body) {
    const std::uint64_t first = slots.offsets[row.first], last = slots.offsets[row.last + 1];
    if (first < last) body(first, last);
  }

 private:
  /// From the outputs to a layer of bins, at least; border bins hold what lies outside, too.
  WARPLOOM_HD static float distance(const BinGrid& grid, const Reach& reach, int axis, std::int32_t at,
                                    const BinBox& box) {
    const auto bins = static_cast<std::int32_t>(grid.extent(axis));
    // Around a whole box every layer may be near by one of two ways.
    if (grid.periodic && box.last[axis] - box.first[axis] + 1 >= bins) return 0;
    const float begin = grid.origin[axis] + grid.side[axis] * static_cast<float>(at),
                end = grid.origin[axis] + grid.side[axis] * static_cast<float>(at + 1);
    // Boundaries are rounded: as much as the margin gives on each side is not trusted.
    const float slack = grid.side[axis] / 1024;
    if (begin > reach.high[axis] && (grid.periodic || at > 0)) {
      const float far = begin - reach.high[axis] - slack;
      return far > 0 ? far : 0;
    }
    if (end < reach.low[axis] && (grid.periodic || at + 1 < bins)) {
      const float far = reach.low[axis] - end - slack;
      return far > 0 ? far : 0;
    }
    return 0;
  }
};

}  // namespace warploom
