#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/scenes/butterfly/pictures/pixels_of.h"
#include "gpu/scenes/butterfly/pictures/row_magnitude.h"

// Kernels of pictures of output rows.
namespace warploom {

/// Keeps the greatest of what is no less than 0, as the bits of a float; of what is no number nothing is told.
WARPLOOM_HD void keep_most(std::uint32_t* most, float value) {
  if (!(value < 3e38f)) return;
  std::uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  rare_atomic_maximum(most, bits);
}

// `Rows` are outputs (RowMagnitude), or what is kept of one row of them (KeptRows).

/// The greatest of all.
template <class Rows>
struct MostOf {
  Rows rows;
  std::uint32_t* most;  ///< 0 before
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows.rows() * rows.elements,
              [&](std::uint64_t i) { keep_most(most, rows.at(i / rows.elements, i % rows.elements)); });
  }
};

/// Rows for the screen; of several values per pixel the greatest.
template <class Rows>
struct PaintRows {
  Rows rows;
  float top;
  bool decibels;
  PixelsOf pixels;
  Palette palette;

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    if (x < 0 || y < 0 || x >= static_cast<double>(rows.elements) || y >= static_cast<double>(rows.room()))
      return palette.ground;
    const auto wide = static_cast<std::int64_t>(rows.elements), high = static_cast<std::int64_t>(rows.rows());
    if (static_cast<std::int64_t>(y) >= high) return mix(palette.ground, palette.waste, .4f);  // nothing came there yet
    const Camera& camera = pixels.camera;
    const CellRange across(camera.x, camera.cells_per_pixel_x, px - .5 * pixels.width),
        down(camera.y, camera.cells_per_pixel_y, py - .5 * pixels.height);
    float most = -1;
    for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last && v < high; v += step(down))
      for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < wide; u += step(across)) {
        const float value = rows.at(static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(u));
        if (most == most && !(value <= most)) most = value;  // what is no number stays
      }
    if (most < 0) return palette.ground;
    return palette.at(.03f + .97f * shade_of_magnitude(most, top, decibels));
  }

 private:
  /// At most eight, evenly.
  WARPLOOM_HD static std::int64_t step(const CellRange& range) {
    return range.last - range.first > 8 ? (range.last - range.first) / 8 : 1;
  }
};

}  // namespace warploom
