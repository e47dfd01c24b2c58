#pragma once
#include <algorithm>

#include "gpu/pictures/plane.h"
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

template <class Plane>
void paint_plane(Queue& queue, const PictureRequest& request, const Plane& plane) {
  paint_plane("bins.colour", queue, request, plane);
}

}  // namespace warploom
