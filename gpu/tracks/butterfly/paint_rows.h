#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/pictures/board.h"
#include "gpu/pictures/pixel_tiles.h"
#include "gpu/tracks/butterfly/kept_rows.h"
#include "gpu/tracks/butterfly/pixels_of.h"
#include "gpu/tracks/butterfly/row_magnitude.h"

// Kernels of pictures of output rows.
namespace warploom {

/// Keeps the greatest of what is no less than 0, as the bits of a float; of what is no number nothing is told.
WARPLOOM_HD void keep_most(std::uint32_t* most, float value) {
  if (!(value < 3e38f)) return;
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  rare_atomic_maximum(most, bits);
}

/// The greatest of all outputs.
struct MostOfRows {
  RowMagnitude rows;
  std::uint32_t* most;  ///< 0 before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows.elements * rows.batch,
              [&](std::uint64_t i) { keep_most(most, rows.at(i / rows.elements, i % rows.elements)); });
  }
};

/// Rows for the screen; of several values a pixel the greatest.
struct PaintRows {
  RowMagnitude rows;
  float top;
  bool decibels;
  PixelsOf pixels;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    const Camera& camera = pixels.camera;
    if (x < 0 || y < 0 || x >= static_cast<double>(rows.elements) || y >= static_cast<double>(rows.batch))
      return palette.ground;
    const CellRange across(camera.x, camera.cells_per_pixel_x, px - .5 * target.width),
        down(camera.y, camera.cells_per_pixel_y, py - .5 * target.height);
    // At most eight by eight, evenly.
    const auto step = [](std::int64_t count) { return count > 8 ? count / 8 : 1; };
    float most = -1;
    for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last && v < static_cast<std::int64_t>(rows.batch);
         v += step(down.last - down.first))
      for (std::int64_t u = across.first < 0 ? 0 : across.first;
           u < across.last && u < static_cast<std::int64_t>(rows.elements); u += step(across.last - across.first)) {
        const float value = rows.at(static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(u));
        if (most == most && !(value <= most)) most = value;  // what is no number stays
      }
    if (most < 0) return palette.ground;
    return palette.at(.03f + .97f * shade_of_magnitude(most, top, decibels));
  }
};

/// The greatest of what is kept of rows, as the bits of a float.
struct MostOfKept {
  KeptRows kept;
  std::uint32_t* most;  ///< 0 before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, kept.rows() * kept.columns, [&](std::uint64_t i) {
      keep_most(most, kept.at(i / kept.columns, static_cast<std::uint32_t>(i % kept.columns)));
    });
  }
};

/// What is kept of rows for the screen, the newest above; of several values a pixel the greatest.
struct PaintKept {
  KeptRows kept;
  float top;
  bool decibels;
  PixelsOf pixels;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    if (x < 0 || y < 0 || x >= kept.columns || y >= KeptRows::shown) return palette.ground;
    const auto age = static_cast<std::uint64_t>(y);
    if (age >= kept.rows()) return mix(palette.ground, palette.waste, .4f);
    const CellRange across(pixels.camera.x, pixels.camera.cells_per_pixel_x, px - .5 * target.width);
    const std::int64_t step = across.last - across.first > 8 ? (across.last - across.first) / 8 : 1;
    float most = 0;
    for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < kept.columns; u += step) {
      const float value = kept.at(age, static_cast<std::uint32_t>(u));
      if (most == most && !(value <= most)) most = value;  // what is no number stays
    }
    return palette.at(.03f + .97f * shade_of_magnitude(most, top, decibels));
  }
};

}  // namespace warploom
