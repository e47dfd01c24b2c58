#include <fmt/format.h>

#include <algorithm>

#include "viewer/panels/plots/plots.h"

namespace warploom {

/// The last samples of each track's kernel, one after the other.
ui::Figure times_figure(PanelContext& panel) {
  const auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  ui::Figure figure{.title = "kernel time, ms", .empty_words = "no samples yet"};
  std::vector<double> all;
  ui::Extent steps;
  std::string name = "sample";
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i) {
    ui::Figure::Curve curve{.name = track_letter(*panel.simulation, i), .colour = ui.theme->tracks[i]};
    curve.stroke = i % 2 ? ui::Stroke::dashed : ui::Stroke::solid;
    if (const KernelTiming* row = state.shown.find(simulation->track(i).kernel(), i)) {
      curve.y.assign(row->recent.begin(), row->recent.end());
      if (row->milliseconds.samples > row->recent.size()) name = fmt::format("last {} samples", row->recent.size());
    }
    steps.add(static_cast<double>(curve.y.size()));
    all.insert(all.end(), curve.y.begin(), curve.y.end());
    if (curve.y.size() == 1) curve.marker = ui::Marker::dot, curve.line = false;
    figure.curves.push_back(std::move(curve));
  }
  // One slow step must not make a line of all others: it is only marked.
  const ui::Usual usual = ui::usual(all, .99, "ms");
  figure.x = {ui::Scale::linear, 0, std::max(8., steps.max), "sample", name};
  figure.y = usual.axis;
  for (const auto& curve : figure.curves) {
    ui::Figure::Above above{.colour = curve.colour};
    for (std::size_t k = 0; k < curve.y.size(); ++k)
      if (curve.y[k] > usual.axis.max) above.x.push_back(static_cast<double>(k));
    if (!above.x.empty()) figure.above.push_back(std::move(above));
  }
  return figure;
}

}  // namespace warploom
