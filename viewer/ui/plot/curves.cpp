#include "viewer/ui/plot/figure.h"

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
      walked += end - t;
      if (drawn) {
        // A dash goes round corners as one line.
        if (list->_Path.Size == 0) list->PathLineTo(at(t));
        list->PathLineTo(at(end));
        if (walked >= on - 0.001f) list->PathStroke(colour, ImDrawFlags_None, thickness);
      }
      if (walked >= on + off - 0.001f) walked = 0;
      t = end;
    }
  }
  if (list->_Path.Size > 1)
    list->PathStroke(colour, ImDrawFlags_None, thickness);
  else
    list->PathClear();
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

std::vector<ImVec2> clipped(std::span<const ImVec2> points, const Rectangle& within) {
  const ImVec2 gap{NAN, NAN};
  const auto inside = [&](ImVec2 at) {
    return at.x >= within.min.x && at.x <= within.max.x && at.y >= within.min.y && at.y <= within.max.y;
  };
  std::vector<ImVec2> kept;
  kept.reserve(points.size() + 8);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ImVec2 b = points[i];
    if (i > 0 && drawable(points[i - 1]) && drawable(b) && !(inside(points[i - 1]) && inside(b))) {
      // The part of the segment between its entry and its exit.
      const ImVec2 a = points[i - 1];
      float from = 0, to = 1;
      const auto cut = [&](float start, float way, float low, float high) {
        if (way == 0) {
          if (start < low || start > high) to = -1;
          return;
        }
        const float one = (low - start) / way, other = (high - start) / way;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
      };
      cut(a.x, b.x - a.x, within.min.x, within.max.x);
      cut(a.y, b.y - a.y, within.min.y, within.max.y);
      if (from < to) {
        if (from > 0) kept.push_back({a.x + (b.x - a.x) * from, a.y + (b.y - a.y) * from});
        if (to < 1) kept.push_back({a.x + (b.x - a.x) * to, a.y + (b.y - a.y) * to});
      }
    }
    kept.push_back(drawable(b) && inside(b) ? b : gap);
  }
  return kept;
}

void draw_marker(ImDrawList* list, ImVec2 at, Marker marker, ImU32 colour, float scale) {
  if (!drawable(at)) return;
  const float r = 3 * scale;
  if (marker == Marker::dot)
    list->AddCircleFilled(at, r, colour, 16);
  else if (marker == Marker::square)
    list->AddRectFilled({at.x - 0.9f * r, at.y - 0.9f * r}, {at.x + 0.9f * r, at.y + 0.9f * r}, colour);
  else if (marker == Marker::triangle)
    list->AddTriangleFilled({at.x, at.y - 1.2f * r}, {at.x + 1.1f * r, at.y + 0.8f * r},
                            {at.x - 1.1f * r, at.y + 0.8f * r}, colour);
  else if (marker == Marker::diamond)
    list->AddQuadFilled({at.x, at.y - 1.3f * r}, {at.x + 1.3f * r, at.y}, {at.x, at.y + 1.3f * r},
                        {at.x - 1.3f * r, at.y}, colour);
}

void sparkline(UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, std::span<const double> values, ImU32 colour,
               double p5, double p95) {
  Extent extent;
  extent.add(values);
  extent.add(p5);
  extent.add(p95);
  if (extent.empty) return;
  // A flat curve runs through the middle; noise below a thousandth of the value is shown flat.
  const double centre = (extent.min + extent.max) / 2,
               span = std::max(extent.max - extent.min, std::abs(centre) * 1e-3);
  const float radius = 2 * ui.scale, height = max.y - min.y - 2 * radius;
  const auto y_of = [&](double value) {
    const double share = span > 0 ? (value - centre) / span + 0.5 : 0.5;
    return max.y - radius - static_cast<float>(share) * height;
  };
  list->AddRectFilled({min.x, y_of(p95)}, {max.x, y_of(p5)}, fade(colour, 0.18f));
  const auto last = static_cast<float>(std::max<std::size_t>(1, values.size() - 1));
  std::vector<ImVec2> points(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    points[i] = {min.x + (max.x - min.x - radius) * static_cast<float>(i) / last, y_of(values[i])};
  draw_curve(list, points, colour, Stroke::solid, 1.2f * ui.scale, ui.scale);
  if (!points.empty() && std::isfinite(points.back().y)) list->AddCircleFilled(points.back(), radius, colour, 12);
}

}  // namespace warploom::ui
