#pragma once
#include <cmath>

#include "gpu/core/atomic.h"
#include "gpu/pictures/plane.h"

// Kernels of the pictures of sparse products.
namespace warploom {

/// Where a nonzero is drawn in a plane.
struct SpmvPlace {
  std::uint32_t x = 0, y = 0;
};

/// Who multiplies a nonzero: its warp, counted through all launches, and the turn of that warp.
struct SpmvWarpTurn {
  std::uint32_t warp = 0, turn = 0;
};

/// The pixels along one axis whose middles lie in a place; of a place that has none, the pixel that it lies in.
struct PixelRange {
  int first, last;
  WARPLOOM_HD PixelRange(double place, double middle, double per_pixel, int size) {
    const auto at = [&](double world) { return (world - middle) / per_pixel + .5 * size; };
    const double low = ceil(at(place) - .5), high = ceil(at(place + 1) - .5);
    const double from = high > low ? low : floor(at(place + .5)), to = high > low ? high : from + 1;
    first = from < 0 ? 0 : from > size ? size : static_cast<int>(from);
    last = to < 0 ? 0 : to > size ? size : static_cast<int>(to);
  }
};

/// Nonzeros onto the pixels of a picture: how many lie in each, and which of them is the first.
struct SplatNonzeros {
  const SpmvPlace* places;
  Camera camera;
  int width, height;
  std::uint32_t* counts;  ///< (height, width), 0 before
  std::uint32_t* firsts;  ///< ~number of the place; 0: none
  std::uint32_t* most;    ///< the largest count, 0 before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const PixelRange across(places[i].x, camera.x, camera.cells_per_pixel_x, width),
        down(places[i].y, camera.y, camera.cells_per_pixel_y, height);
    for (int y = down.first; y < down.last; ++y)
      for (int x = across.first; x < across.last; ++x) {
        const std::int64_t pixel = static_cast<std::int64_t>(y) * width + x;
        rare_atomic_maximum(firsts + pixel, ~static_cast<std::uint32_t>(i));
        rare_atomic_maximum(most, 1 + atomic_fetch_add(counts + pixel, 1u));
      }
  }
};

/// What the pixels of a picture have, for painting.
struct SplatPixels {
  static constexpr std::uint32_t none = ~0u;
  const std::uint32_t *counts, *firsts;
  int width;
  std::uint32_t every;  ///< one in so many nonzeros is drawn

  WARPLOOM_HD std::int64_t at(const PlanePixel& pixel) const {
    return static_cast<std::int64_t>(pixel.py) * width + pixel.px;
  }
  WARPLOOM_HD std::uint32_t count(const PlanePixel& pixel) const { return counts[at(pixel)]; }
  WARPLOOM_HD std::uint32_t first(const PlanePixel& pixel) const { return ~firsts[at(pixel)]; }
  /// The share of the places in a pixel that have a nonzero, 0..1.
  WARPLOOM_HD float share(const PlanePixel& pixel) const {
    const double wide = pixel.camera.cells_per_pixel_x, high = pixel.camera.cells_per_pixel_y,
                 places = (wide > 1 ? wide : 1) * (high > 1 ? high : 1),
                 found = static_cast<double>(count(pixel)) * every / places;
    return found < 1 ? static_cast<float>(found) : 1;
  }
};

/// Turns of warps, and which of them have come.
struct SpmvTurns {
  const std::uint64_t* before;  ///< (warps + 1): turns of all warps before one
  SoFar so_far;

  WARPLOOM_HD std::uint64_t of(std::uint64_t warp) const { return before[warp + 1] - before[warp]; }
  WARPLOOM_HD bool reached(std::uint64_t warp, std::uint64_t turn) const {
    return so_far.all() || before[warp] + turn < so_far.warps;
  }
};

/// Useful places in a track's colour over those that wait or pad. `there`: the share of a pixel that has places at all.
WARPLOOM_HD Rgba useful_over(const PlanePixel& pixel, float useful, float there) {
  if (!(there > 0)) return pixel.palette.ground;
  const float share = useful < there ? useful / there : 1;
  // One in a hundred is still seen.
  const Rgba colour = share > 0 ? mix(pixel.hatched(), pixel.palette.track, powf(share, .35f)) : pixel.hatched();
  return there < 1 ? mix(pixel.palette.ground, colour, there) : colour;
}

/// How many of the places of a pixel are looked at along an axis.
WARPLOOM_HD int looks_along(double places_per_pixel) {
  constexpr int most = 4;
  return places_per_pixel <= 1 ? 1 : places_per_pixel < most ? static_cast<int>(ceil(places_per_pixel)) : most;
}

/// The share of a pixel's places that `there(x, y)` has, of some that lie evenly in it.
template <class There>
WARPLOOM_HD float share_of_pixel(const PlanePixel& pixel, There&& there) {
  const double wide = pixel.camera.cells_per_pixel_x, high = pixel.camera.cells_per_pixel_y;
  const int across = looks_along(wide), down = looks_along(high);
  int found = 0;
  for (int v = 0; v < down; ++v)
    for (int u = 0; u < across; ++u)
      found += there(pixel.x + ((u + .5) / across - .5) * wide, pixel.y + ((v + .5) / down - .5) * high);
  return static_cast<float>(found) / static_cast<float>(across * down);
}

}  // namespace warploom
