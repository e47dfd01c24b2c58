#pragma once
#include "viewer/panels/panels.h"
#include "viewer/ui/plot/figure.h"

namespace warploom {

// A plot is one file of this folder and one line of viewer/model/plot_names.h.

/// One of the plots that the strip below the pictures, and the large view, can show.
struct PlotKind {
  const char *key, *name;  ///< "times", "Kernel times"
  const char* help;        ///< what it shows, in a sentence
  ui::Figure (*make)(PanelContext& panel);
  /// Why it has nothing to show now; empty: it has. Null: always.
  std::string (*missing)(const PanelContext& panel);
  const char* stands_in = nullptr;  ///< which one is shown where a scene has nothing for it; null: its own words
};

/// Every plot, in the order of the tabs of the large view.
const std::vector<PlotKind>& plot_kinds();
/// By its key; the first where there is no such.
const PlotKind& plot_kind(const std::string& key);

/// The axis of sides n.
ui::Axis axis_of_n(const ui::Extent& n);
/// Where a track of the scene stands on such an axis, as a dot.
ui::Figure::Curve place_of(const PanelContext& panel, std::size_t track, double value);

/// Keeps what is shown of the tracks' times in their shapes.
void note_shape_times(PanelContext& panel);

/// The histogram of samples, beside the last item while the mouse is on it.
void histogram_tooltip(PanelContext& panel);

/// One plot, large: another can be chosen for its place, and it is saved as SVG, PNG or CSV.
void large_plot(PanelContext& panel, ImVec2 window);
/// This frame is captured for that plot alone.
bool plot_captured(const Model& model);

}  // namespace warploom
