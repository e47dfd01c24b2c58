#pragma once
#include <imgui.h>

#include <span>
#include <vector>

#include "viewer/ui/plot/figure.h"

namespace warploom::ui {

/// A polyline in one of the strokes; a point with a coordinate that is no number is a gap. A lone point is drawn as a
/// dot.
void draw_curve(ImDrawList* list, std::span<const ImVec2> points, ImU32 colour, Stroke stroke, float thickness,
                float scale);

/// What of a polyline lies in a rectangle; gaps as above.
std::vector<ImVec2> clipped(std::span<const ImVec2> points, const Rectangle& within);

/// A marker of about 6 design pixels.
void draw_marker(ImDrawList* list, ImVec2 at, Marker marker, ImU32 colour, float scale);

/// A curve without axes between min and max, its last value marked, over the band from `p5` to `p95`.
void sparkline(UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, std::span<const double> values, ImU32 colour,
               double p5, double p95);

}  // namespace warploom::ui
