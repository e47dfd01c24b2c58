#pragma once
#include "viewer/model/scene_parts.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/plot/figure.h"

namespace warploom {

/// By its key; the first where there is no such.
const PlotKind& plot_kind(const std::string& key);

ui::Axis axis_of_n(const ui::Extent& n);
/// Where a track of the scene stands on such an axis, as a dot.
ui::Figure::Curve place_of(const PanelContext& panel, std::size_t track, double value);

/// The histogram of samples, beside the last item while the mouse is on it.
void histogram_tooltip(PanelContext& panel);

/// One plot, large: another can be chosen for its place, and it is saved as SVG, PNG or CSV.
void large_plot(PanelContext& panel, ImVec2 window);
bool plot_captured(const Model& model);

}  // namespace warploom
