#include <algorithm>

#include "viewer/panels/plots/plots.h"

namespace warploom {

std::string gain_missing(const PanelContext& panel) {
  const auto* gain = panel.model.scene().facet<GainTheory>();
  if (!gain) return "this scene has no theory of speed-ups";
  const bool timed = panel.simulation && !gain->gains(*panel.simulation).empty();
  return timed ? "" : "K measures the maps alone";
}

/// Speed-up over the first track by theory from measured costs of the maps alone, and as measured with the work.
ui::Figure gain_figure(PanelContext& panel) {
  const auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  ui::Figure figure{.title = "speed-up by n", .empty_words = gain_missing(panel)};
  const auto* gain = model.scene().facet<GainTheory>();
  const auto theory = gain && simulation ? gain->gains(*simulation) : std::vector<TheoryCurve>{};
  ui::Extent n{ui::Scale::log2}, value;
  value.add(0);
  if (theory.empty()) value.add(1);
  for (const auto& curve : theory) {
    n.add(curve.n);
    value.add(curve.value);
    figure.curves.push_back(
        {.name = curve.name.empty() ? track_letter(*panel.simulation, curve.track) + " by theory" : curve.name,
         .colour = curve.name.empty() ? ui.theme->tracks[curve.track] : ui.theme->quiet,
         .x = curve.n,
         .y = curve.value,
         .stroke = ui::Stroke::dashed});
  }
  // The theory is over the first track.
  const std::size_t measured = !theory.empty() && model.baseline_of(*simulation) == 0 ? simulation->size() : 0;
  for (std::size_t i = 1; i < measured; ++i)
    if (const auto ratio = state.shown.ratio(i)) {
      value.add(ratio->median);
      figure.curves.push_back(place_of(panel, i, ratio->median));
    }
  figure.x = axis_of_n(n);
  figure.y = ui::fitted(value, true, "\u00d7");
  return figure;
}

}  // namespace warploom
