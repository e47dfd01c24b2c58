#include "gpu/scenes/bins/tracks/padding_facet.h"
#include "gpu/tracks/simulation.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

std::string padding_missing(const PanelContext& panel) {
  return panel.simulation && any_offers<PaddingFacet>(*panel.simulation) ? "" : "the tracks have no bins";
}

/// What padding and spilling cost, by how many slots every bin has; and where the tracks stand.
ui::Figure padding_figure(PanelContext& panel) {
  ui::Figure figure{.title = "padding, %", .empty_words = padding_missing(panel)};
  if (figure.empty_words.empty()) figure.empty_words = "binning \u2026";
  const auto& theme = *panel.ui.theme;
  ui::Extent slots{ui::Scale::log10};
  slots.add(1);
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const auto* facet = panel.simulation->track(i).facet<PaddingFacet>();
    const auto all = facet ? facet->padding() : std::nullopt;
    if (!all) continue;
    slots.add(all->slots.back());
    // The elements are the same in every track.
    if (figure.curves.empty()) {
      figure.curves.push_back({.name = "padding", .colour = theme.quiet, .x = all->slots, .y = all->padding});
      figure.curves.push_back(
          {.name = "spilled", .colour = theme.bad, .x = all->slots, .y = all->spilled, .stroke = ui::Stroke::dashed});
    }
    if (all->own_slots > 0)
      figure.curves.push_back({.colour = theme.tracks[i],
                               .x = {all->own_slots},
                               .y = {all->own_padding},
                               .marker = ui::Marker::dot,
                               .line = false});
  }
  figure.x = ui::fitted(slots, false);
  figure.x.name = "slots per bin";
  figure.y = {ui::Scale::linear, 0, 100, "%"};
  return figure;
}

}  // namespace warploom
