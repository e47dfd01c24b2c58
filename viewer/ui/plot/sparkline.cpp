#include <algorithm>
#include <cmath>

#include "viewer/ui/plot/curves.h"
#include "viewer/ui/plot/plot.h"

namespace warploom::ui {

void sparkline(UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, std::span<const double> values, ImU32 colour,
               std::optional<double> p5, std::optional<double> p95) {
  Extent extent;
  extent.add(values);
  if (p5) extent.add(*p5);
  if (p95) extent.add(*p95);
  if (extent.empty) return;
  // A flat curve runs through the middle; noise below a thousandth of the value is shown flat.
  const double centre = (extent.min + extent.max) / 2,
               span = std::max(extent.max - extent.min, std::abs(centre) * 1e-3);
  const float radius = 2 * ui.scale, height = max.y - min.y - 2 * radius;
  const auto y_of = [&](double value) {
    const double share = span > 0 ? (value - centre) / span + 0.5 : 0.5;
    return max.y - radius - static_cast<float>(share) * height;
  };
  if (p5 && p95) list->AddRectFilled({min.x, y_of(*p95)}, {max.x, y_of(*p5)}, fade(colour, 0.18f));
  const auto last = static_cast<float>(std::max<std::size_t>(1, values.size() - 1));
  std::vector<ImVec2> points(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    points[i] = {min.x + (max.x - min.x - radius) * static_cast<float>(i) / last, y_of(values[i])};
  draw_curve(list, points, colour, Stroke::solid, 1.2f * ui.scale, ui.scale);
  if (!points.empty() && std::isfinite(points.back().y)) list->AddCircleFilled(points.back(), radius, colour, 12);
}

}  // namespace warploom::ui
