#include "gpu/tracks/facets/rate.h"

#include <fmt/format.h>

#include "gpu/tracks/facets/over_devices.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {
namespace {

const RateFacet* rated(const PanelContext& panel, std::size_t track) {
  return panel.simulation && track < panel.simulation->size() ? panel.simulation->track(track).facet<RateFacet>()
                                                              : nullptr;
}

/// Rates that were seen since the start, by the size of the problem; a track's newest median takes the place of older.
const std::map<double, double>& seen_rates(PanelContext& panel, std::size_t i, const RateFacet& of) {
  const Track& track = panel.simulation->track(i);
  const RateFacet::Work work = of.work();
  const auto* over = track.facet<OverDevices>();
  const std::string devices = over ? fmt::format(" {} {}", over->devices()->count, over->devices()->split) : "";
  auto& seen = panel.state.rates[track.kernel() + " " + track.info().name + " " + work.unit + devices];
  if (panel.state.shown.at <= panel.state.rates_since) return seen;
  if (const KernelTiming* row = panel.state.shown.find(track.kernel(), i); row && row->milliseconds.median > 0)
    seen[static_cast<double>(track.extent().x)] = work.amount / (row->milliseconds.median / 1e3);
  return seen;
}

}  // namespace

std::string rate_missing(const PanelContext& panel) {
  return panel.simulation && any_offers<RateFacet>(*panel.simulation) ? "" : "the tracks of this scene have no rate";
}

/// Work a second against the size of the problem: every size that was run in this window, and what others printed.
ui::Figure rate_figure(PanelContext& panel) {
  ui::Figure figure{.title = "rate", .empty_words = rate_missing(panel)};
  if (figure.empty_words.empty()) figure.empty_words = "no samples yet";
  if (panel.simulation && panel.simulation->id() != panel.state.rates_simulation) {
    panel.state.rates_simulation = panel.simulation->id();
    panel.state.rates_since = ImGui::GetTime();
  }
  ui::Extent n{ui::Scale::log2}, value{ui::Scale::log10};
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const RateFacet* of = rated(panel, i);
    if (!of) continue;
    figure.title = "rate by N, " + of->work().unit;
    ui::Figure::Curve curve{.name = track_letter(*panel.simulation, i), .colour = panel.ui.theme->tracks[i]};
    for (const auto& [side, rate] : seen_rates(panel, i, *of)) curve.x.push_back(side), curve.y.push_back(rate);
    curve.stroke = i % 2 ? ui::Stroke::dashed : ui::Stroke::solid;
    curve.marker = ui::Marker::dot;
    n.add(curve.x);
    n.add(static_cast<double>(panel.simulation->track(i).extent().x));
    value.add(curve.y);
    if (!curve.x.empty()) figure.curves.push_back(std::move(curve));
  }
  // Printed rates belong to the algorithm: any track has them.
  if (const RateFacet* of = rated(panel, 0))
    for (const auto& printed : of->published()) {
      n.add(printed.n);
      value.add(printed.rate);
      figure.curves.push_back({.name = printed.name,
                               .colour = panel.ui.theme->quiet,
                               .x = printed.n,
                               .y = printed.rate,
                               .stroke = ui::Stroke::dashed});
    }
  figure.x = axis_of_n(n);
  figure.x.name.assign(1, 'N');  // its log2 is what this scene calls n
  figure.y = ui::fitted(value, false);
  return figure;
}

}  // namespace warploom
