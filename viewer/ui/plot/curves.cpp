#include "viewer/ui/plot/curves.h"

#include <algorithm>
#include <cmath>

namespace warploom::ui {
namespace {

bool drawable(ImVec2 point) { return std::isfinite(point.x) && std::isfinite(point.y); }

/// Dashes whose pattern runs on across the corners.
void draw_dashes(ImDrawList* list, std::span<const ImVec2> points, ImU32 colour, float on, float off, float thickness) {
  float walked = 0;  // within one period
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 a = points[i - 1], b = points[i];
    const float length = std::hypot(b.x - a.x, b.y - a.y);
    if (length <= 0) continue;
    const auto at = [&](float t) { return ImVec2{a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length}; };
    for (float t = 0; t < length;) {
      const bool drawn = walked < on;
      const float end = std::min(length, t + std::max(0.01f, (drawn ? on : on + off) - walked));
      if (drawn) list->AddLine(at(t), at(end), colour, thickness);
      walked += end - t;
      if (walked >= on + off - 0.001f) walked = 0;
      t = end;
    }
  }
}

void draw_run(ImDrawList* list, std::span<const ImVec2> run, ImU32 colour, Stroke stroke, float thickness,
              float scale) {
  if (run.size() == 1)
    list->AddCircleFilled(run.front(), thickness, colour, 8);
  else if (stroke == Stroke::dashed)
    draw_dashes(list, run, colour, 5 * scale, 4 * scale, thickness);
  else if (stroke == Stroke::dotted)
    draw_dashes(list, run, colour, 1.5f * scale, 3 * scale, thickness);
  else
    list->AddPolyline(run.data(), static_cast<int>(run.size()), colour, ImDrawFlags_None, thickness);
}

}  // namespace

void draw_curve(ImDrawList* list, std::span<const ImVec2> points, ImU32 colour, Stroke stroke, float thickness,
                float scale) {
  for (std::size_t begin = 0; begin < points.size();) {
    if (!drawable(points[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < points.size() && drawable(points[end])) ++end;
    draw_run(list, points.subspan(begin, end - begin), colour, stroke, thickness, scale);
    begin = end;
  }
}

void draw_marker(ImDrawList* list, ImVec2 at, Marker marker, ImU32 colour, float scale) {
  if (!drawable(at)) return;
  const float r = 3 * scale;
  switch (marker) {
    case Marker::none:
      break;
    case Marker::dot:
      list->AddCircleFilled(at, r, colour, 16);
      break;
    case Marker::square:
      list->AddRectFilled({at.x - 0.9f * r, at.y - 0.9f * r}, {at.x + 0.9f * r, at.y + 0.9f * r}, colour);
      break;
    case Marker::triangle:
      list->AddTriangleFilled({at.x, at.y - 1.2f * r}, {at.x + 1.1f * r, at.y + 0.8f * r},
                              {at.x - 1.1f * r, at.y + 0.8f * r}, colour);
      break;
    case Marker::diamond:
      list->AddQuadFilled({at.x, at.y - 1.3f * r}, {at.x + 1.3f * r, at.y}, {at.x, at.y + 1.3f * r},
                          {at.x - 1.3f * r, at.y}, colour);
      break;
  }
}

}  // namespace warploom::ui
