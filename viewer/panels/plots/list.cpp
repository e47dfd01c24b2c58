#include <algorithm>

#include "viewer/model/plot_names.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

#define WARPLOOM_DECLARED(key, name, stands_in, help) \
  ui::Figure key##_figure(PanelContext& panel);       \
  std::string key##_missing(const PanelContext& panel);
WARPLOOM_PLOTS(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

const std::vector<PlotKind>& plot_kinds() {
#define WARPLOOM_LISTED(key, name, stands_in, help) PlotKind{#key, name, help, key##_figure, key##_missing, stands_in},
  static const std::vector<PlotKind> all{WARPLOOM_PLOTS(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

const PlotKind& plot_kind(const std::string& key) {
  const auto& all = plot_kinds();
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
