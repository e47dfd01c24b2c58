#pragma once
#include "gpu/scenes/irregular/pictures/spmv_paint.h"

namespace warploom {

/// An array in the picture of arrays.
struct ArrayRegion {
  enum class Kind { slab, ribbon, slices, path } kind = Kind::ribbon;
  double left = 0;
  std::uint64_t columns = 0;  ///< that it has in the picture
  std::uint64_t first = 0, elements = 0, rows = 1;
  WARPLOOM_HD double right() const { return left + static_cast<double>(columns); }
};

/// The merge path as a staircase: nonzeros to the right, row ends down.
struct MergePath {
  const std::uint32_t* row_starts = nullptr;  ///< (rows + 1)
  std::uint32_t rows = 0;
  std::uint64_t nonzeros = 0, items = 1;  ///< of a thread

  /// Whether it passes between two rows, and between two nonzeros.
  WARPLOOM_HD bool passes(double low_row, double high_row, double low_nonzero, double high_nonzero) const {
    const auto row = [&](double at) { return at < 0 ? 0 : at >= rows ? rows - 1 : static_cast<std::uint32_t>(at); };
    return row_starts[row(low_row)] <= high_nonzero && row_starts[row(high_row) + 1] >= low_nonzero;
  }
};

struct PaintArrays {
  static constexpr int most_regions = 4;
  ArrayRegion regions[most_regions];
  int count = 0;
  std::uint32_t fold = 32;
  MergePath path;
  SpmvTurns turns;  ///< of slices: how wide each is
  SplatPixels pixels;

  WARPLOOM_HD const ArrayRegion* region_at(double x) const {
    for (int i = 0; i < count; ++i)
      if (x >= regions[i].left && x < regions[i].right()) return regions + i;
    return nullptr;
  }
  /// The element at a place of the picture; false: none is stored there.
  WARPLOOM_HD bool element_at(double x, double y, std::uint64_t& element) const {
    const ArrayRegion* region = region_at(x);
    if (!region || y < 0 || region->kind == ArrayRegion::Kind::path) return false;
    const auto column = static_cast<std::uint64_t>(x - region->left), row = static_cast<std::uint64_t>(y);
    std::uint64_t in = 0;
    if (region->kind == ArrayRegion::Kind::ribbon) {
      if (row >= fold) return false;
      in = column * fold + row;
    } else if (row >= region->rows) {
      return false;
    } else if (region->kind == ArrayRegion::Kind::slab) {
      in = column * region->rows + row;
    } else {
      const std::uint64_t slice = row / warp_size;
      if (column >= turns.of(slice)) return false;
      in = (turns.before[slice] + column) * warp_size + row % warp_size;
    }
    element = region->first + in;
    return in < region->elements;
  }

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const ArrayRegion* region = region_at(pixel.x);
    if (region && region->kind == ArrayRegion::Kind::path) return on_path(pixel, *region);
    const float there = share_of_pixel(pixel, [&](double x, double y) {
      std::uint64_t element;
      return element_at(x, y, element);
    });
    return pixel.gapped(useful_over(pixel, pixels.share(pixel), there), .2);
  }

  /// Pieces in two tones, those of threads where they have room, else those of blocks.
  WARPLOOM_HD Rgba on_path(const PlanePixel& pixel, const ArrayRegion& region) const {
    const Palette& palette = pixel.palette;
    if (!(pixel.y >= 0 && pixel.y < path.rows)) return palette.ground;
    const double each = static_cast<double>(path.nonzeros) / static_cast<double>(region.columns),  // in a column
        nonzero = (pixel.x - region.left) * each, wide = pixel.camera.cells_per_pixel_x * each,
                 high = pixel.camera.cells_per_pixel_y;
    // Items across a pixel; a piece is drawn from 4 pixels on.
    const double items = wide + high, threads = static_cast<double>(path.items),
                 piece = threads >= 4 * items ? threads : 256 * threads;
    const double item = pixel.y + nonzero;
    const bool odd = static_cast<std::uint64_t>(item / piece) % 2, cuts = piece >= 4 * items;
    constexpr double half = 1.5;  // pixels
    if (path.passes(pixel.y - half * high, pixel.y + half * high, nonzero - half * wide, nonzero + half * wide))
      return odd && cuts ? mix(palette.track, palette.ground, .45f) : palette.track;
    const bool cut = cuts && item / piece - floor(item / piece) < .5 * items / piece;
    return cut ? mix(palette.waste, palette.hatch, .8f) : mix(palette.ground, palette.waste, .7f);
  }
};

}  // namespace warploom
