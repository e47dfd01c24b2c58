#include "viewer/panels/panes/plane.h"

#include <algorithm>
#include <cmath>

namespace warploom {

double Plane::fitted_area(const ui::Rectangle& pane, double w, double h, double cell_height, ImVec2 margin) {
  const double across = std::max(8.f, pane.width() - 2 * margin.x), down = std::max(8.f, pane.height() - 2 * margin.y);
  const double wide = std::min(across / w, down / (h * cell_height));
  return wide * wide * cell_height;
}

Plane::Plane(const ui::Rectangle& pane, const PlaneView& view, double w, double h, double cell_height, ImVec2 margin,
             double most_area)
    : area(pane), width(w), height(h) {
  const double fit = std::sqrt(cell_height / std::min(most_area, fitted_area(pane, w, h, cell_height, margin)));
  camera.cells_per_pixel_x = fit / view.zoom;
  camera.cells_per_pixel_y = fit / view.zoom / cell_height;
  camera.x = view.x * w;
  camera.y = view.y * h;
}

ImVec2 Plane::screen(double x, double y) const {
  return {static_cast<float>((area.min.x + area.max.x) / 2 + (x - camera.x) / camera.cells_per_pixel_x),
          static_cast<float>((area.min.y + area.max.y) / 2 + (y - camera.y) / camera.cells_per_pixel_y)};
}

double Plane::cell_x(float x) const {
  return camera.x + (x - (area.min.x + area.max.x) / 2) * camera.cells_per_pixel_x;
}
double Plane::cell_y(float y) const {
  return camera.y + (y - (area.min.y + area.max.y) / 2) * camera.cells_per_pixel_y;
}

bool navigate(PlaneView& view, const Plane& plane, bool hovered, bool dragging) {
  const ImGuiIO& io = ImGui::GetIO();
  const PlaneView before = view;
  if (hovered && io.MouseWheel != 0) {
    const double x = plane.cell_x(io.MousePos.x) / plane.width, y = plane.cell_y(io.MousePos.y) / plane.height;
    // From half the whole to one cell of 160 pixels.
    const double most = std::max(1., plane.camera.cells_per_pixel_x * view.zoom * 160);
    const double zoom = std::clamp(view.zoom * std::pow(1.25, double(io.MouseWheel)), .5, most);
    view.x = x + (view.x - x) * view.zoom / zoom;
    view.y = y + (view.y - y) * view.zoom / zoom;
    view.zoom = zoom;
  }
  if (dragging) {
    view.x -= io.MouseDelta.x * plane.camera.cells_per_pixel_x / plane.width;
    view.y -= io.MouseDelta.y * plane.camera.cells_per_pixel_y / plane.height;
  }
  view.x = std::clamp(view.x, -.25, 1.25);
  view.y = std::clamp(view.y, -.25, 1.25);
  return !(view == before);
}

}  // namespace warploom
