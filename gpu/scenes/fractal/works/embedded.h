#pragma once
#include <cstdint>

#include "gpu/core/types.h"
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// One byte a place of the whole box, row-major: cell (x, y) at y n_x + x. Places outside the domain stay 0.
struct Embedded {
  static constexpr MapInfo info{"embedded", "embedded", "n x n bytes, one a cell", "navarro2020fractals"};

  using Value = std::uint8_t;
  static constexpr bool tiled = false;  ///< whether the block's side decides how many bytes it has

  Value* data = nullptr;
  Index3 extent{1, 1, 1};
  std::uint32_t pitch = 1;  ///< from row to row

  static Embedded of(const FractalDomain& domain, int /*block_digits*/, std::uint8_t* data) {
    return {data, domain.extent, domain.extent.x};
  }
  /// Bytes of one state; a double, because a refused size may pass 2^64.
  static double bytes(const FractalDomain& domain, int /*block_digits*/) {
    return static_cast<double>(domain.extent.x) * static_cast<double>(domain.extent.y);
  }

  WARPLOOM_HD std::uint64_t address(Cell cell) const { return std::uint64_t{cell.y} * extent.x + cell.x; }
  WARPLOOM_HD std::uint8_t load(Cell cell) const { return data[address(cell)]; }
  WARPLOOM_HD void store(Cell cell, std::uint8_t value) const { data[address(cell)] = value; }
  WARPLOOM_HD bool has_boxes_of(int) const { return true; }

  /// Live cells among the eight around `cell`; outside the box is dead.
  WARPLOOM_HD unsigned alive_around(Cell cell) const {
    const std::uint8_t* centre = data + address(cell);
    const bool left = cell.x > 0, right = cell.x + 1 < extent.x;
    const auto row = [&](const std::uint8_t* at) { return (left ? at[-1] : 0u) + at[0] + (right ? at[1] : 0u); };
    unsigned alive = (left ? centre[-1] : 0u) + (right ? centre[1] : 0u);
    if (cell.y > 0) alive += row(centre - extent.x);
    if (cell.y + 1 < extent.y) alive += row(centre + extent.x);
    return alive;
  }
};

}  // namespace warploom
