#pragma once
#include <array>
#include <optional>

#include "gpu/core/types.h"
#include "gpu/pictures/picture_request.h"

namespace warploom {

/// The place of a plane of this extent that lies under a pixel of a request, x and y from its corner.
inline std::optional<Index3> place_under(const PictureRequest& request, const std::array<double, 3>& extent, double x,
                                         double y) {
  const Camera& camera = request.camera;
  const double u = camera.x + (x - .5 * request.target.width) * camera.cells_per_pixel_x,
               v = camera.y + (y - .5 * request.target.height) * camera.cells_per_pixel_y;
  if (!(u >= 0 && v >= 0 && u < extent[0] && v < extent[1])) return std::nullopt;
  return Index3{static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0};
}

}  // namespace warploom
