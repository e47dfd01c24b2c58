#include <algorithm>

#include "gpu/tracks/facets/counted.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

std::string waste_missing(const PanelContext& panel) {
  return panel.model.scene().facet<Theory>() ? "" : "no closed form here";
}

/// Threads per cell by closed form, against n, and where the scene stands.
ui::Figure waste_figure(PanelContext& panel) {
  const auto& simulation = panel.simulation;
  const auto* waste = panel.model.scene().facet<Theory>();
  ui::Figure figure{.title = "threads per cell by n", .empty_words = waste_missing(panel)};
  const auto theory = waste ? waste->waste() : std::vector<TheoryCurve>{};
  ui::Extent n{ui::Scale::log2}, value{ui::Scale::log2};
  for (const auto& curve : theory) {
    n.add(curve.n);
    value.add(curve.value);
    const ImU32 colour = panel.ui.theme->tracks[curve.track];
    figure.curves.push_back({.name = panel.model.shown_scene().letter(curve.track),
                             .colour = colour,
                             .x = curve.n,
                             .y = curve.value,
                             .stroke = curve.track % 2 ? ui::Stroke::dashed : ui::Stroke::solid});
    if (!simulation || curve.track >= simulation->size()) continue;
    if (const auto counts = counts_of(simulation->track(curve.track))) {
      const auto useful = static_cast<double>(std::max<std::uint64_t>(1, counts->useful));
      figure.curves.push_back(place_of(panel, curve.track, static_cast<double>(counts->launched) / useful));
    }
  }
  figure.x = axis_of_n(n);
  figure.y = ui::fitted(value, false, "\u00d7");
  return figure;
}

}  // namespace warploom
