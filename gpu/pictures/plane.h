#pragma once
#include <cmath>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/grid_picture.h"

// Planes, and how they are painted pixel by pixel.
namespace warploom {

/// Grows to what is needed; what was there is lost.
template <class Value>
void make_room(Buffer<Value>& buffer, Queue& queue, std::uint64_t count) {
  if (buffer.size() < count) buffer = {}, buffer = Buffer<Value>(queue.backend(), count);
}

/// From the pixels of a target to the places of a plane, and back.
struct PlaneScale {
  Camera camera;
  int width = 0, height = 0;
  PlaneScale() = default;
  explicit PlaneScale(const PictureRequest& request)
      : camera(request.camera), width(request.target.width), height(request.target.height) {}
  WARPLOOM_HD double x(double pixel) const { return camera.x + (pixel - .5 * width) * camera.cells_per_pixel_x; }
  WARPLOOM_HD double y(double pixel) const { return camera.y + (pixel - .5 * height) * camera.cells_per_pixel_y; }
  WARPLOOM_HD double pixel_x(double place) const { return (place - camera.x) / camera.cells_per_pixel_x + .5 * width; }
  WARPLOOM_HD double pixel_y(double place) const { return (place - camera.y) / camera.cells_per_pixel_y + .5 * height; }
};

/// A pixel of a plane, and what its colour is made of.
struct PlanePixel {
  const Camera& camera;
  const Palette& palette;
  int px, py;        ///< on the screen
  double left, top;  ///< of it, in pixels from the camera
  double x, y;       ///< its middle, in places

  WARPLOOM_HD PlanePixel(const Camera& from, const Palette& colours, const PixelTarget& target, int at_x, int at_y)
      : camera(from),
        palette(colours),
        px(at_x),
        py(at_y),
        left(at_x - .5 * target.width),
        top(at_y - .5 * target.height),
        x(from.x + (at_x + .5 - .5 * target.width) * from.cells_per_pixel_x),
        y(from.y + (at_y + .5 - .5 * target.height) * from.cells_per_pixel_y) {}

  WARPLOOM_HD bool inside(double wide, double high) const { return x >= 0 && y >= 0 && x < wide && y < high; }
  /// Calls body(Index3) for the places of a plane of this extent whose middles lie in the pixel, or for the one that it
  /// lies in.
  template <class Body>
  WARPLOOM_HD void each_place(Index3 extent, Body&& body) const {
    const CellRange across(camera.x, camera.cells_per_pixel_x, left), down(camera.y, camera.cells_per_pixel_y, top);
    for (std::int64_t v = down.first < 0 ? 0 : down.first; v < down.last && v < extent.y; ++v)
      for (std::int64_t u = across.first < 0 ? 0 : across.first; u < across.last && u < extent.x; ++u)
        body(Index3{static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0});
  }
  WARPLOOM_HD bool on_hatch() const { return (px + py) % 6 < 2; }
  WARPLOOM_HD Rgba hatched() const { return on_hatch() ? palette.hatch : palette.waste; }
  /// The colour of a place, with a gap before the next: of a pixel, where a place is at least so large.
  WARPLOOM_HD Rgba gapped(Rgba colour, double most_places_a_pixel) const {
    const double wide = camera.cells_per_pixel_x, high = camera.cells_per_pixel_y;
    const bool gap =
        (wide <= most_places_a_pixel && x - floor(x) < wide) || (high <= most_places_a_pixel && y - floor(y) < high);
    return gap ? mix(colour, palette.ground, .7f) : colour;
  }
};

/// A plane for the screen. `Plane`: Rgba colour(const PlanePixel&) const.
template <class Plane>
struct PaintPlane {
  Plane plane;
  Camera camera;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target,
                           [&](int x, int y) { return plane.colour(PlanePixel(camera, palette, target, x, y)); });
  }
};

/// `kernel`: its name.
template <class Plane>
void paint_plane(const char* kernel, Queue& queue, const PictureRequest& request, const Plane& plane) {
  launch(kernel, queue, PlaneTiles::shape(request.target),
         PaintPlane<Plane>{plane, request.camera, request.target, request.palette});
}

}  // namespace warploom
