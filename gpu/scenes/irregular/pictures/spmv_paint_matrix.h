#pragma once
#include <cstring>

#include "gpu/scenes/irregular/pictures/spmv_colours.h"
#include "gpu/scenes/irregular/pictures/spmv_paint.h"

namespace warploom {

/// Where the matrix lies in its picture: x above it, y at its right.
struct MatrixFrame {
  std::uint32_t rows = 1, columns = 1;
  std::uint32_t top = 1;             ///< rows of the picture that x has, a gap among them
  std::uint32_t gap = 1, right = 1;  ///< columns between the matrix and y, and of y
  WARPLOOM_HD double wide() const { return double(columns) + gap + right; }
  WARPLOOM_HD double high() const { return double(rows) + top; }
  WARPLOOM_HD double bars_from() const { return double(columns) + gap; }
  /// x ends a gap above the matrix.
  WARPLOOM_HD double bars_high() const { return .85 * top; }
};

/// The matrix by its nonzeros, and the vectors as bars.
struct PaintMatrix {
  MatrixFrame frame;
  SplatPixels pixels;
  const float* values;         ///< of the places that are drawn
  const SpmvWarpTurn* owners;  ///< null: of the library nothing is known
  SpmvTurns turns;
  const float *x, *y;
  float most_x, most_y;  ///< the ends of their bars
  ColourBy by;
  ValueRange range;
  float most;                ///< nonzeros in the fullest pixel
  std::uint32_t warps = 1;   ///< in a block
  std::uint32_t blocks = 1;  ///< of all launches
  /// The shade of a pixel with one nonzero: few of them are seen on a quiet ground, too.
  static constexpr float least_shade = .25f;

  WARPLOOM_HD static Rgba vector_colour(const Palette& palette) { return palette.at(.62f); }
  static constexpr Rgba red = rgba(229, 72, 77);

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    const double row = pixel.y - frame.top, column = pixel.x;
    if (row >= 0 && row < frame.rows && column >= 0 && column < frame.columns) return nonzero(pixel);
    if (column >= 0 && column < frame.columns && pixel.y >= 0 && pixel.y < frame.bars_high()) {
      // Up is positive.
      return bar(palette, x, frame.columns, column, pixel.camera.cells_per_pixel_x, most_x,
                 1 - 2 * pixel.y / frame.bars_high(), 2 * pixel.camera.cells_per_pixel_y / frame.bars_high(),
                 vector_colour(palette));
    }
    if (row >= 0 && row < frame.rows && column >= frame.bars_from() && column < frame.wide())
      return bar(palette, y, frame.rows, row, pixel.camera.cells_per_pixel_y, most_y,
                 2 * (column - frame.bars_from()) / frame.right - 1, 2 * pixel.camera.cells_per_pixel_x / frame.right,
                 palette.track);
    return palette.ground;
  }

 private:
  /// Amounts grow by their root: small ones are seen beside large ones.
  WARPLOOM_HD static float length(float value, float most) {
    const float share = sqrtf(fabsf(value) / most);
    return value < 0 ? -share : share;
  }
  /// `height`: of the pixel, -1..1, and how much of that it is high.
  WARPLOOM_HD static Rgba bar(const Palette& palette, const float* all, std::uint32_t count, double place,
                              double places_per_pixel, float most, double height, double pixel_height, Rgba colour) {
    const int looks = looks_along(places_per_pixel);
    float low = 0, high = 0;
    for (int i = 0; i < looks; ++i) {
      const double at = place + ((i + .5) / looks - .5) * places_per_pixel;
      if (at < 0 || at >= count) continue;
      const float value = all[static_cast<std::uint32_t>(at)];
      if (!(fabsf(value) < 3e38f)) return red;
      const float own = most > 0 ? length(value, most) : 0;
      low = own < low ? own : low;
      high = own > high ? own : high;
    }
    const Rgba ground = mix(palette.ground, palette.waste, .6f);
    if (fabs(height) <= .5 * pixel_height) return mix(palette.ground, colour, .8f);  // the line of zero
    return height > low && height < high ? colour : ground;
  }

  WARPLOOM_HD Rgba nonzero(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    const std::uint32_t count = pixels.count(pixel);
    if (!count) return pixel.gapped(palette.waste, .1);
    const std::uint32_t i = pixels.first(pixel);
    float shade = 1;
    const bool single = pixel.camera.cells_per_pixel_x <= 1 && pixel.camera.cells_per_pixel_y <= 1;
    if (by == spmv_colours::turn && owners) {
      shade = turn_shade(static_cast<float>(owners[i].turn), range);
    } else if (by == spmv_colours::block && owners) {
      const auto block = owners[i].warp / warps;
      shade = blocks > 1 ? static_cast<float>(block) / static_cast<float>(blocks - 1) : 1;
    } else if (by == ColourBy::warp && owners) {
      shade = (static_cast<float>(owners[i].warp % warps) + .5f) / static_cast<float>(warps);
    } else if (single) {
      shade = value_shade(values[i], range);
    } else {
      shade = least_shade + (1 - least_shade) * (most > 1 ? logf(static_cast<float>(count)) / logf(most) : 1);
    }
    const Rgba colour = pixel.gapped(palette.at(shade), .1);
    return owners && !turns.reached(owners[i].warp, owners[i].turn) ? SoFar::dimmed(colour, palette.ground) : colour;
  }

 public:
  /// The first turns are told apart, however many there are.
  WARPLOOM_HD static float turn_shade(float turn, const ValueRange& range) {
    return range.high > 0 ? logf(1 + turn) / logf(1 + range.high) : 1;
  }
  WARPLOOM_HD static float value_shade(float value, const ValueRange& range) {
    return range.high > range.low ? (value - range.low) / (range.high - range.low) : 1;
  }
};

/// The largest amount of a vector that is a number.
struct MostAmount {
  const float* values;
  std::uint32_t* bits;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const float amount = fabsf(values[i]);
    if (!(amount < 3e38f)) return;
    std::uint32_t word;
    memcpy(&word, &amount, sizeof word);
    rare_atomic_maximum(bits, word);
  }
};

}  // namespace warploom
