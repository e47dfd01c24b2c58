#pragma once
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/mask.h"
#include "gpu/scenes/fractal/works/serial.h"

namespace warploom {

/// The map alone: every cell is folded into one word, the sum of x + 2^32 y modulo 2^64, and no state is touched.
struct MapOnly {
  static constexpr WorkInfo info{"map_only", "Map only", "maps, and folds every cell into one word", false, 0};

  static std::uint64_t serial(const SerialCell& cell) {
    return static_cast<std::uint64_t>(cell.x) + (static_cast<std::uint64_t>(cell.y) << 32);
  }
  /// Each copy stands at each of r digits k^(r-1) times.
  static std::uint64_t total(const Mask& mask, int level) {
    std::uint64_t box_x = 0, box_y = 0, power_x = 1, power_y = 1, digits_x = 0, digits_y = 0, often = 1;
    for (std::uint32_t y = 0; y < mask.side_y(); ++y)
      for (std::uint32_t x = 0; x < mask.side_x(); ++x)
        if (mask.rows[y][x] == '#') box_x += x, box_y += y;
    for (int i = 0; i < level; ++i, power_x *= mask.side_x(), power_y *= mask.side_y())
      digits_x += power_x, digits_y += power_y;
    for (int i = 1; i < level; ++i) often *= mask.copies();
    return level == 0 ? 0 : often * (box_x * digits_x + (box_y * digits_y << 32));
  }

  template <class Storage>
  struct At {
    explicit At(const WorkArguments<Storage>&) {}
    WARPLOOM_HD std::uint64_t operator()(Cell cell) const { return cell.x + (std::uint64_t{cell.y} << 32); }
  };
};

}  // namespace warploom
