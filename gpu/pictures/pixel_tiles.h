#pragma once
#include "gpu/core/group.h"
#include "gpu/core/pixels.h"

namespace warploom {

/// A picture cut into tiles of `wide` by `high` pixels, a block each; those at its edges are not whole.
template <std::uint32_t wide, std::uint32_t high>
struct PixelTiles {
  static constexpr std::uint32_t width = wide, height = high;

  static LaunchShape shape(const PixelTarget& target) {
    return {{(static_cast<std::uint32_t>(target.width) + wide - 1) / wide,
             (static_cast<std::uint32_t>(target.height) + high - 1) / high, 1},
            {wide, high, 1}};
  }
  /// The upper left pixel of the group's tile.
  template <class Group>
  WARPLOOM_HD static Index3 corner(const Group& group) {
    return {group.block().x * wide, group.block().y * high, 0};
  }
  /// Sets each pixel of the group's tile to colour(x, y).
  template <class Group, class Colour>
  WARPLOOM_HD static void each_pixel(Group& group, const PixelTarget& target, Colour&& colour) {
    const Index3 from = corner(group);
    group.each([&](const Thread& thread) {
      const auto x = static_cast<int>(from.x + thread.at.x), y = static_cast<int>(from.y + thread.at.y);
      if (x < target.width && y < target.height) target.set(x, y, colour(x, y));
    });
  }
};

/// The mean of sample(x, y) over places spread evenly in a pixel, `side` squared of them; whole numbers are its middle.
template <class Sample>
WARPLOOM_HD Rgba mean_of_samples(int side, int x, int y, Sample&& sample) {
  unsigned red = 0, green = 0, blue = 0;
  const float part = 1 / static_cast<float>(side);
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const Rgba colour = sample(static_cast<float>(x) + ((static_cast<float>(i) + .5f) * part - .5f),
                                 static_cast<float>(y) + ((static_cast<float>(j) + .5f) * part - .5f));
      red += colour & 255, green += colour >> 8 & 255, blue += colour >> 16 & 255;
    }
  const auto count = static_cast<unsigned>(side * side), half = count / 2;
  return rgba((red + half) / count, (green + half) / count, (blue + half) / count);
}

/// Of planes; and of solids, where a warp is 8 x 4 pixels: its rays stay together.
using PlaneTiles = PixelTiles<16, 8>;
using SolidTiles = PixelTiles<8, 16>;

}  // namespace warploom
