#include <algorithm>

#include "viewer/panels/plots/plots.h"
#include "viewer/scenes/butterfly/facets.h"

namespace warploom {

std::string depth_missing(const PanelContext& panel) {
  return panel.model.scene().facet<VariantCosts>() ? "" : "the tracks of this scene are not variants of one network";
}

/// Every variant by how much it does, and how much of that one after another; those that run in their colour.
ui::Figure depth_figure(PanelContext& panel) {
  ui::Figure figure{.title = "operators by depth", .empty_words = depth_missing(panel)};
  const auto* variants = panel.model.scene().facet<VariantCosts>();
  ui::Extent depth, operators{ui::Scale::log2};
  depth.add(0);
  if (variants)
    for (const auto& one : variants->variant_costs()) {
      ImU32 colour = panel.ui.theme->quiet;
      std::string name = one.title;
      for (std::size_t i = panel.simulation ? panel.simulation->size() : 0; i-- > 0;)
        if (panel.simulation->track(i).info().map == one.key) {
          colour = panel.ui.theme->tracks[i];
          name = track_letter(*panel.simulation, i) + " " + one.title;
        }
      depth.add(one.depth);
      operators.add(static_cast<double>(one.operators));
      figure.curves.push_back({.name = std::move(name),
                               .colour = colour,
                               .x = {static_cast<double>(one.depth)},
                               .y = {static_cast<double>(one.operators)},
                               .marker = ui::Marker::dot,
                               .line = false});
    }
  figure.x = ui::fitted(depth, true);
  figure.x.name = "stages";
  figure.y = ui::fitted(operators, false);
  return figure;
}

}  // namespace warploom
