#pragma once
#include <imgui.h>

#include <span>
#include <vector>

#include "viewer/ui/plot/plot.h"

namespace warploom::ui {

/// A polyline in one of the strokes; a point with a coordinate that is no number is a gap. A lone point is drawn as a
/// dot.
void draw_curve(ImDrawList* list, std::span<const ImVec2> points, ImU32 colour, Stroke stroke, float thickness,
                float scale);

/// What of a polyline lies in a rectangle; gaps as above.
std::vector<ImVec2> clipped(std::span<const ImVec2> points, const Rectangle& within);

/// A marker of about 6 design pixels.
void draw_marker(ImDrawList* list, ImVec2 at, Marker marker, ImU32 colour, float scale);

}  // namespace warploom::ui
