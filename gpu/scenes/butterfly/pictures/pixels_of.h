#pragma once
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/pixel_tiles.h"

namespace warploom {

/// World to pixels, and back.
struct PixelsOf {
  Camera camera;
  int width, height;
  explicit PixelsOf(const PictureRequest& request)
      : camera(request.camera), width(request.target.width), height(request.target.height) {}
  friend bool operator==(const PixelsOf&, const PixelsOf&) = default;
  WARPLOOM_HD float x(double world) const {
    return static_cast<float>((world - camera.x) / camera.cells_per_pixel_x + .5 * width);
  }
  WARPLOOM_HD float y(double world) const {
    return static_cast<float>((world - camera.y) / camera.cells_per_pixel_y + .5 * height);
  }
  /// Of a place between pixels.
  WARPLOOM_HD double world_x(double place) const { return camera.x + (place - .5 * width) * camera.cells_per_pixel_x; }
  WARPLOOM_HD double world_y(double place) const { return camera.y + (place - .5 * height) * camera.cells_per_pixel_y; }
  /// Of a pixel's middle.
  WARPLOOM_HD double world_x(int pixel) const { return world_x(pixel + .5); }
  WARPLOOM_HD double world_y(int pixel) const { return world_y(pixel + .5); }
};

/// Each pixel of a target by paint.pixel(x, y).
template <class Paint>
struct PaintPixels {
  Paint paint;
  PixelTarget target;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return paint.pixel(x, y); });
  }
};
template <class Paint>
void paint_pixels(Queue& queue, const PictureRequest& request, const Paint& paint) {
  launch("butterfly.colour", queue, PlaneTiles::shape(request.target), PaintPixels<Paint>{paint, request.target});
}

}  // namespace warploom
