#pragma once
#include "gpu/core/group.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// Who is beside a tile in some direction, and how its words are reached. Looked up, because whoever works it out walks
/// digit by digit while all others wait.
struct TileBeside {
  /// Tiles that have numbers here.
  static constexpr std::uint64_t most = std::uint64_t{1} << 27;
  static constexpr std::uint32_t nowhere = 15;
  std::uint32_t packed = nowhere << 28;

  TileBeside() = default;
  /// `crossing`: the direction in which the lanes are stepped, too; -1: they stay.
  WARPLOOM_HD TileBeside(std::uint64_t number, int crossing)
      : packed(static_cast<std::uint32_t>(crossing + 1) << 28 | static_cast<std::uint32_t>(number)) {}

  WARPLOOM_HD bool there() const { return packed >> 28 != nowhere; }
  WARPLOOM_HD std::uint32_t number() const { return packed & (most - 1); }
  WARPLOOM_HD int crossing() const { return static_cast<int>(packed >> 28) - 1; }
  /// Whether this or another of the same tile has other lanes.
  WARPLOOM_HD bool any_crosses() const { return packed >> 27 & 1u; }
  WARPLOOM_HD void say_any_crosses() { packed |= 1u << 27; }
};

/// ... of every tile in every direction, a thread per tile.
struct FindTilesBeside {
  SlicedShape shape;
  SlicedSteps steps;
  std::uint32_t arrive = 0;  ///< a bit of each direction that lanes can be stepped in; no tile lies any other way
  TileBeside* to = nullptr;  ///< (tiles, directions)

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int digits = shape.base_digits - shape.tile_digits;
    each_item(group, shape.tiles(), [&](std::uint64_t tile) {
      TileBeside beside[directions];
      bool crosses = false;
      for (int d = 0; d < directions; ++d) {
        const auto found = steps.neighbour(tile, digits, d);
        if (!found.there || (found.crossing >= 0 && !(arrive >> found.crossing & 1u))) continue;
        beside[d] = TileBeside(found.number, found.crossing);
        crosses = crosses || found.crossing >= 0;
      }
      for (int d = 0; d < directions; ++d) {
        if (crosses) beside[d].say_any_crosses();
        to[tile * directions + static_cast<std::uint64_t>(d)] = beside[d];
      }
    });
  }
};

}  // namespace warploom
