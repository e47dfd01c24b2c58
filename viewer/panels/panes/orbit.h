#pragma once
#include <imgui.h>

#include <array>
#include <optional>
#include <vector>

#include "gpu/pictures/ray_camera.h"
#include "viewer/model/model.h"
#include "viewer/ui/layout.h"

namespace warploom {

/// A solid in a pane, seen from an orbit: the same camera as the picture's.
struct Orbit {
  ui::Rectangle area;  ///< of the pane
  RayCamera camera;    ///< in blocks around the solid's middle; its pixel is one of the pane's
  double size = 1;     ///< of the largest solid at its scale, corner to corner, in blocks

  /// `extent` in blocks; `z_up`: the third axis points up, else down. Seen from as far as a solid of `least_size`.
  Orbit(const ui::Rectangle& pane, const OrbitView& view, const std::array<double, 3>& extent, bool z_up,
        double least_size = 0);

  /// The same camera for a picture of `scale` pixels a pane's.
  RayCamera for_pixels(float scale) const;
  /// A point around the solid's middle on screen; nullopt: behind the eye.
  std::optional<ImVec2> screen(double x, double y, double z) const;
};

/// An edge of a solid's box, around its middle.
struct BoxEdge {
  std::size_t axis = 0;  ///< that it runs along, from `low` to `high`
  std::array<double, 3> low{}, high{};
};
/// The edges that are the outline of a box on screen: they pass over nothing that lies within it. All others do.
std::vector<BoxEdge> outline_of_box(const Orbit& orbit, const std::array<double, 3>& extent);

/// Drag turns, Shift-drag and the right button move, the wheel goes nearer. Returns whether `view` changed.
bool navigate(OrbitView& view, const Orbit& orbit, bool hovered, bool dragging, bool moving);

}  // namespace warploom
