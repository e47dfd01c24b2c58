#pragma once
#include "gpu/pictures/picture_request.h"

namespace warploom {

/// World to pixels, and back.
struct PixelsOf {
  Camera camera;
  int width, height;
  explicit PixelsOf(const PictureRequest& request)
      : camera(request.camera), width(request.target.width), height(request.target.height) {}
  WARPLOOM_HD float x(double world) const {
    return static_cast<float>((world - camera.x) / camera.cells_per_pixel_x + .5 * width);
  }
  WARPLOOM_HD float y(double world) const {
    return static_cast<float>((world - camera.y) / camera.cells_per_pixel_y + .5 * height);
  }
  /// Of a pixel's middle.
  WARPLOOM_HD double world_x(int pixel) const {
    return camera.x + (pixel + .5 - .5 * width) * camera.cells_per_pixel_x;
  }
  WARPLOOM_HD double world_y(int pixel) const {
    return camera.y + (pixel + .5 - .5 * height) * camera.cells_per_pixel_y;
  }
};

}  // namespace warploom
