#pragma once
#include "gpu/core/atomic.h"
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/tree/look.h"

// Kernels of the picture of points and boxes.
namespace warploom {

/// How the space of a tree lies on the screen: along an axis all that lies behind each other, or about a place of it.
struct TreePlane : PlaneScale {
  int dimension = 2;
  int right = 0, down = 1, axis = 2;                ///< axes
  std::uint32_t place = Division::none, reach = 0;  ///< of the slice along `axis`, and how thick it is to each side
  WARPLOOM_HD bool shows(std::uint64_t box) const {
    if (place == Division::none) return true;
    const std::uint32_t low = PackedBox::number(box, axis, dimension),
                        high = PackedBox::number(box, dimension + axis, dimension);
    return low <= place + reach && place <= high + reach;
  }
};

/// Points as dots: each adds to the pixel it lies in, and less to those around. A point an item.
struct SplatPoints {
  TreePlane plane;
  const std::uint32_t* codes;
  bool finds;  ///< those that are near count apart
  NearPlace near;
  std::uint32_t *weights, *found;  ///< (height, width), 0 before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const int d = plane.dimension;
    const std::uint64_t own = PackedBox::of_code(codes[i], d);
    if (!plane.shows(own)) return;
    const double x = plane.pixel_x(place_of_code(codes[i], plane.right, d) + .5),
                 y = plane.pixel_y(place_of_code(codes[i], plane.down, d) + .5);
    if (!(x >= 1 && y >= 1 && x < plane.width - 1 && y < plane.height - 1)) return;
    std::uint32_t* const to = finds && near.reaches(own, d) ? found : weights;
    const auto px = static_cast<int>(x), py = static_cast<int>(y);
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u)
        atomic_fetch_add(to + static_cast<std::int64_t>(py + v) * plane.width + px + u, u == 0 && v == 0   ? 6u
                                                                                        : u == 0 || v == 0 ? 2u
                                                                                                           : 1u);
  }
};

/// The outlines of boxes: of nodes that are split at a level and at those just above it, or of those near a place. A
/// place of a split an item.
struct DrawBoxes {
  static constexpr int above = 3;  ///< so many levels more are drawn, each fainter
  TreePlane plane;
  TreeKeys keys;
  TreeNodes nodes;
  const std::uint64_t* boxes;
  int level;
  bool finds;
  NearPlace near;
  int thick;             ///< pixels
  std::uint32_t* lines;  ///< (height, width), 0 before: 1 + above for the level itself

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const PlaceRange node = nodes.at[i];
    if (!node.there() || !plane.shows(boxes[i])) return;
    int strength = above + 1;
    if (finds) {
      if (!near.reaches(boxes[i], plane.dimension)) return;
    } else {
      strength -= level - keys.common(node.first, node.last);
      if (strength < 1 || strength > above + 1) return;
    }
    const int d = plane.dimension;
    const auto number = [&](int which) { return static_cast<double>(PackedBox::number(boxes[i], which, d)); };
    const int left = pixel(plane.pixel_x(number(plane.right)), plane.width),
              right = pixel(plane.pixel_x(number(d + plane.right) + 1), plane.width),
              top = pixel(plane.pixel_y(number(plane.down)), plane.height),
              bottom = pixel(plane.pixel_y(number(d + plane.down) + 1), plane.height);
    const auto value = static_cast<std::uint32_t>(strength);
    for (int k = 0; k < thick; ++k) {
      row(top + k, left, right + thick - 1, value);
      row(bottom + k, left, right + thick - 1, value);
      column(left + k, top, bottom, value);
      column(right + k, top, bottom, value);
    }
  }

 private:
  /// Beyond the screen one pixel from it.
  WARPLOOM_HD static int pixel(double at, int size) {
    return at < 0 ? -8 : at > size ? size + 8 : static_cast<int>(at);
  }
  WARPLOOM_HD void set(int x, int y, std::uint32_t value) const {
    rare_atomic_maximum(lines + static_cast<std::int64_t>(y) * plane.width + x, value);
  }
  WARPLOOM_HD void row(int y, int left, int right, std::uint32_t value) const {
    if (y < 0 || y >= plane.height) return;
    for (int x = left < 0 ? 0 : left; x <= right && x < plane.width; ++x) set(x, y, value);
  }
  WARPLOOM_HD void column(int x, int top, int bottom, std::uint32_t value) const {
    if (x < 0 || x >= plane.width) return;
    for (int y = top < 0 ? 0 : top; y <= bottom && y < plane.height; ++y) set(x, y, value);
  }
};

/// All of it for the screen.
struct PaintTreeSpace {
  double side;
  const std::uint32_t *weights, *found, *lines;
  int width;
  bool finds;

  /// How much of a line's colour a level has.
  WARPLOOM_HD static float share(std::uint32_t strength) {
    return strength > 3 ? 1 : .16f * static_cast<float>(strength);
  }
  /// By how many points lie about a pixel, logarithmic: from one alone, whose weight is 6, to some fifty.
  WARPLOOM_HD static Rgba point(const Palette& palette, float weight) {
    const float share = logf(weight / 6 + 1) / logf(51);
    return palette.at(.25f + .75f * (share < 1 ? share : 1));
  }

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    Rgba colour = palette.ground;
    if (!pixel.inside(side, side)) colour = mix(colour, palette.waste, .5f);
    const std::int64_t i = static_cast<std::int64_t>(pixel.py) * width + pixel.px;
    const auto light = [](std::uint32_t weight) { return 1 - expf(-.3f * static_cast<float>(weight)); };
    if (weights[i])
      colour = mix(colour, point(palette, static_cast<float>(weights[i])), light(weights[i]) * (finds ? .4f : 1));
    if (lines[i]) colour = mix(colour, palette.track, share(lines[i]) * (finds ? .7f : 1));
    if (finds && found[i]) colour = mix(colour, palette.at(1), light(2 * found[i]));
    return colour;
  }
};

}  // namespace warploom
