#pragma once
#include <algorithm>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/scenes/bins/kernels/geometry.h"

// Planes of bins and of outputs, and how they are painted.
namespace warploom {

/// A plane of a box of places: those that lie behind each other along an axis, in all of its layers or in some.
struct BoxPlane {
  Index3 box;
  int axis = 2;
  std::uint32_t first = 0, end = 1;  ///< layers along it

  /// The axes that run to the right and down.
  WARPLOOM_HD int right() const { return axis == 0 ? 1 : 0; }
  WARPLOOM_HD int down() const { return axis == 2 ? 1 : 2; }
  WARPLOOM_HD Index3 place(Index3 at) const { return {coordinate(at, right()), coordinate(at, down()), 0}; }
  WARPLOOM_HD Index3 extent() const { return {coordinate(box, right()), coordinate(box, down()), 1}; }
  WARPLOOM_HD Index3 at(Index3 place, std::uint32_t layer) const {
    if (axis == 0) return {layer, place.x, place.y};
    if (axis == 1) return {place.x, layer, place.y};
    return {place.x, place.y, layer};
  }
  /// Of that place, in the box.
  WARPLOOM_HD std::uint64_t number(Index3 place, std::uint32_t layer) const {
    return linear_index(at(place, layer), box);
  }
  WARPLOOM_HD bool has_layer(std::uint32_t layer) const { return layer >= first && layer < end; }
};

/// As a view looks at them: all places behind each other, or the layer at this share of an axis.
inline BoxPlane plane_of(Index3 box, const Looking& looking) {
  BoxPlane plane{box, looking.slice_axis < 0 ? 2 : looking.slice_axis};
  plane.end = coordinate(box, plane.axis);
  if (looking.slice_axis < 0) return plane;
  plane.first = std::min(plane.end - 1, static_cast<std::uint32_t>(looking.slice * plane.end));
  plane.end = plane.first + 1;
  return plane;
}
/// ... of boxes that no one sees through: the middle layer where no plane cuts them.
inline BoxPlane layer_of(Index3 box, const Looking& looking) {
  return plane_of(box, looking.slice_axis < 0 ? Looking{looking.morph, 2, .5} : looking);
}
inline Looking looking_of(const PictureRequest& request) { return {1, request.solid.slice_axis, request.solid.slice}; }

/// Grows to what is needed; what was there is lost.
template <class Value>
void make_room(Buffer<Value>& buffer, Queue& queue, std::uint64_t count) {
  if (buffer.size() < count) buffer = {}, buffer = Buffer<Value>(queue.backend(), count);
}

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

template <class Plane>
void paint_plane(Queue& queue, const PictureRequest& request, const Plane& plane) {
  launch("bins.colour", queue, PlaneTiles::shape(request.target),
         PaintPlane<Plane>{plane, request.camera, request.target, request.palette});
}

}  // namespace warploom
