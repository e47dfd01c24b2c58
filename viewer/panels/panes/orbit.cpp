#include "viewer/panels/panes/orbit.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace warploom {
namespace {

/// Half the angle of view: little enough for straight lines to look it.
constexpr double half_view = .28;

void put(float (&to)[3], const glm::dvec3& from) {
  for (int a = 0; a < 3; ++a) to[a] = static_cast<float>(from[a]);
}

}  // namespace

Orbit::Orbit(const ui::Rectangle& pane, const OrbitView& view, const std::array<double, 3>& extent, bool z_up,
             double least_size)
    : area(pane) {
  const glm::dvec3 box(extent[0], extent[1], extent[2]);
  size = std::max(glm::length(box), least_size);
  const double up = z_up ? 1 : -1;
  // The same angle shows the face of steps of either tetrahedron.
  const double yaw = view.yaw + (z_up ? 4.6 : 0);
  const glm::dvec3 toward(std::cos(view.pitch) * std::sin(yaw), -std::cos(view.pitch) * std::cos(yaw),
                          up * std::sin(view.pitch));
  const glm::dvec3 forward = -toward, down_axis(0, 0, -up);
  const glm::dvec3 right = glm::normalize(glm::cross(forward, -down_axis)), down = glm::cross(forward, right);
  const double distance = 1.06 * size / 2 / std::sin(half_view) / view.zoom;
  const glm::dvec3 eye = toward * distance - right * (view.x * size) - down * (view.y * size);
  put(camera.eye, eye);
  put(camera.right, right);
  put(camera.down, down);
  put(camera.forward, forward);
  const double least = std::max(16.f, std::min(pane.width(), pane.height()));
  camera.pixel = static_cast<float>(2 * std::tan(half_view) / least);
}

RayCamera Orbit::for_pixels(float scale) const {
  RayCamera scaled = camera;
  scaled.pixel /= scale;
  return scaled;
}

std::optional<ImVec2> Orbit::screen(double x, double y, double z) const {
  const double from[3] = {x - camera.eye[0], y - camera.eye[1], z - camera.eye[2]};
  double right = 0, down = 0, forward = 0;
  for (int a = 0; a < 3; ++a) {
    right += from[a] * camera.right[a];
    down += from[a] * camera.down[a];
    forward += from[a] * camera.forward[a];
  }
  if (forward < 1e-3 * size) return std::nullopt;
  return ImVec2{(area.min.x + area.max.x) / 2 + static_cast<float>(right / forward / camera.pixel),
                (area.min.y + area.max.y) / 2 + static_cast<float>(down / forward / camera.pixel)};
}

std::vector<BoxEdge> outline_of_box(const Orbit& orbit, const std::array<double, 3>& extent) {
  // Whether the eye is in front of the face at an end of an axis.
  const auto faces = [&](std::size_t axis, bool high) {
    const double eye = double{orbit.camera.eye[axis]}, half = extent[axis] / 2;
    return high ? eye > half : eye < -half;
  };
  std::vector<BoxEdge> all;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool first : {false, true})
      for (const bool second : {false, true}) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (faces(u, first) == faces(v, second)) continue;  // between two faces in view, or behind the box
        BoxEdge edge{axis, {}, {}};
        edge.low[u] = edge.high[u] = (first ? .5 : -.5) * extent[u];
        edge.low[v] = edge.high[v] = (second ? .5 : -.5) * extent[v];
        edge.low[axis] = -extent[axis] / 2;
        edge.high[axis] = extent[axis] / 2;
        all.push_back(edge);
      }
  return all;
}

bool navigate(OrbitView& view, const Orbit& orbit, bool hovered, bool dragging, bool moving) {
  const ImGuiIO& io = ImGui::GetIO();
  const OrbitView before = view;
  if (hovered && io.MouseWheel != 0) view.zoom = std::clamp(view.zoom * std::pow(1.15, double(io.MouseWheel)), .4, 40.);
  if (dragging && !moving) {
    view.yaw = std::remainder(view.yaw - io.MouseDelta.x * .008, 2 * 3.14159265358979);
    view.pitch = std::clamp(view.pitch + io.MouseDelta.y * .008, -1.5, 1.5);
  }
  if (moving) {
    const double per_pixel = orbit.camera.pixel / 2 / std::sin(half_view) / view.zoom;
    view.x = std::clamp(view.x + io.MouseDelta.x * per_pixel, -1., 1.);
    view.y = std::clamp(view.y + io.MouseDelta.y * per_pixel, -1., 1.);
  }
  return !(view == before);
}

}  // namespace warploom
