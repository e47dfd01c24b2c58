#pragma once
#include "gpu/core/buffer.h"
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

/// (tiles, directions): who is beside each tile of a state. Throws Error for more tiles than have numbers.
Buffer<TileBeside> tiles_beside(Queue& queue, const FractalDomain& domain, const SlicedShape& shape);

}  // namespace warploom
