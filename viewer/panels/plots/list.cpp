#include <algorithm>

#include "viewer/panels/plots/plots.h"

namespace warploom {

// A plot that every scene may have is one file of this folder and one line here; a scene's own are among its parts.
ui::Figure times_figure(PanelContext& panel);
ui::Figure histogram_figure(PanelContext& panel);
ui::Figure frames_figure(PanelContext& panel);
ui::Figure waste_figure(PanelContext& panel);
std::string waste_missing(const PanelContext& panel);
ui::Figure gain_figure(PanelContext& panel);
std::string gain_missing(const PanelContext& panel);
ui::Figure rate_figure(PanelContext& panel);
std::string rate_missing(const PanelContext& panel);
ui::Figure paper_figure(PanelContext& panel);
std::string paper_missing(const PanelContext& panel);

namespace {

std::string never_missing(const PanelContext&) { return {}; }

}  // namespace

std::vector<PlotKind> base_plots() {
  return {
      {"times", "Kernel times",
       "Time of each track's kernel, sample after sample, of the last 160; tracks B and D are dashed. Triangles mark "
       "samples beyond the axis.",
       times_figure, never_missing},
      {"histogram", "Histogram of times",
       "How many samples took how long; those slower than the 99th percentile are counted.", histogram_figure,
       never_missing},
      {"frames", "Frame times", "Time per frame of this window, and the share of panels and interop.", frames_figure,
       never_missing},
      {"waste", "Threads per cell",
       "Threads launched per useful thread, by the size of the domain: closed form as lines (tracks B and D "
       "dashed), these tracks as dots.",
       waste_figure, waste_missing},
      {"gain", "Speed-up",
       "Speed-up over the baseline, by the size of the domain: promised as dashed lines, measured as dots.",
       gain_figure, gain_missing},
      {"rate", "Rate",
       "Work per second of each track by the size of its problem, as far as sizes "
       "were run; published values dashed.",
       rate_figure, rate_missing, "waste"},
      {"paper", "Figure of a paper",
       "Published values of a paper (dashed) and predicted ones (dotted), and the values measured in this window "
       "at every size that was run.",
       paper_figure, paper_missing}};
}

const PlotKind& plot_kind(const std::string& key) {
  const auto& all = known_parts().plots;
  const auto at = std::find_if(all.begin(), all.end(), [&](const PlotKind& kind) { return kind.key == key; });
  return at == all.end() ? all.front() : *at;
}

ui::Axis axis_of_n(const ui::Extent& n) {
  ui::Axis axis = ui::fitted(n, false);
  axis.name.assign(1, 'n');  // not = "n": GCC 12 sees an overflow in it
  return axis;
}

ui::Figure::Curve place_of(const PanelContext& panel, std::size_t track, double value) {
  return {.name = "",
          .colour = panel.ui.theme->tracks[track],
          .x = {static_cast<double>(panel.simulation->track(track).extent().x)},
          .y = {value},
          .marker = ui::Marker::dot,
          .line = false};
}

}  // namespace warploom
