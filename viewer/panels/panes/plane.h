#pragma once
#include <imgui.h>

#include <cmath>

#include "gpu/core/types.h"
#include "viewer/model/model.h"
#include "viewer/ui/layout.h"

namespace warploom {

/// A plane of cells or threads in a pane: where its places are on screen.
struct Plane {
  ui::Rectangle area;            ///< of the pane
  double width = 1, height = 1;  ///< of the plane, in cells
  Camera camera;

  /// `margin` pixels stay free at each edge at zoom 1; a cell is drawn `cell_height` times as tall as wide, and at zoom
  /// 1 on no more than `most_area` square pixels.
  Plane(const ui::Rectangle& pane, const PlaneView& view, double width, double height, double cell_height,
        ImVec2 margin, double most_area = HUGE_VAL);
  /// The square pixels of a cell at zoom 1 that fills the pane.
  static double fitted_area(const ui::Rectangle& pane, double width, double height, double cell_height, ImVec2 margin);

  ImVec2 screen(double x, double y) const;
  double cell_x(float screen_x) const;
  double cell_y(float screen_y) const;
  double pixels_x() const { return 1 / camera.cells_per_pixel_x; }
  double pixels_y() const { return 1 / camera.cells_per_pixel_y; }
  bool holds(double x, double y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

/// Wheel and drag over a pane: zooms around the mouse, pans. Returns whether `view` changed.
bool navigate(PlaneView& view, const Plane& plane, bool hovered, bool dragging);

}  // namespace warploom
