#pragma once
#include "gpu/scenes/irregular/pictures/spmv_paint.h"

namespace warploom {

/// Threads in launch order, folded into bands; a turn a row. Two launches at most, one below the other.
struct LaunchBands {
  std::uint32_t fold = 32;  ///< threads of a band
  int launches = 1;
  std::uint64_t threads[2] = {}, first_warp[2] = {}, first_band[3] = {};
  const std::uint64_t* tops = nullptr;  ///< (bands + 1): rows above a band; what ends before the next begins is a gap

  /// The band at a row of the picture, below first_band[launches].
  WARPLOOM_HD std::uint64_t band_at(std::uint64_t row) const {
    std::uint64_t low = 0, high = first_band[launches] - 1;
    while (low < high) {
      const std::uint64_t middle = (low + high + 1) / 2;
      if (tops[middle] <= row)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
  struct Place {
    int launch = 0;
    std::uint64_t thread = 0, turn = 0;
  };
  /// False: no thread is there; whether its warp takes that turn is another question.
  WARPLOOM_HD bool at(double x, double y, Place& place) const {
    if (!(x >= 0 && y >= 0 && x < fold) || y >= static_cast<double>(tops[first_band[launches]])) return false;
    const std::uint64_t band = band_at(static_cast<std::uint64_t>(y));
    place.launch = launches > 1 && band >= first_band[1] ? 1 : 0;
    place.thread = (band - first_band[place.launch]) * fold + static_cast<std::uint64_t>(x);
    place.turn = static_cast<std::uint64_t>(y) - tops[band];
    // The last warp is whole: its lanes without a thread wait.
    return place.thread < (threads[place.launch] + warp_size - 1) / warp_size * warp_size;
  }
  WARPLOOM_HD std::uint64_t warp(const Place& place) const {
    return first_warp[place.launch] + place.thread / warp_size;
  }
};

/// Lane turns: useful ones in the track's colour, waiting ones hatched; warps are parted.
struct PaintTurns {
  LaunchBands bands;
  SpmvTurns turns;
  SplatPixels pixels;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    LaunchBands::Place place;
    const float there = share_of_pixel(pixel, [&](double x, double y) {
      LaunchBands::Place one;
      return bands.at(x, y, one) && one.turn < turns.of(bands.warp(one));
    });
    if (!(there > 0)) return pixel.palette.ground;
    Rgba colour = pixel.gapped(useful_over(pixel, pixels.share(pixel), there), .2);
    if (!bands.at(pixel.x, pixel.y, place)) return colour;
    const double wide = pixel.camera.cells_per_pixel_x;
    const double in_warp = pixel.x - floor(pixel.x / warp_size) * warp_size;
    // Only where that hides no lane.
    if (wide * 3 <= 1 && in_warp < wide && place.thread >= warp_size) colour = pixel.palette.ground;
    return turns.reached(bands.warp(place), place.turn) ? colour : SoFar::dimmed(colour, pixel.palette.ground);
  }
};

}  // namespace warploom
