#include "viewer/ui/plot/paper.h"

#include <algorithm>
#include <string>

#include "gpu/tracks/facets/storage.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {
namespace {

using bench::PaperFigure;

/// The figure that the view names; else the first of this domain and work, or of this work.
const PaperFigure* chosen_figure(const PanelContext& panel) {
  if (!panel.model.scene().facet<Papers>()) return nullptr;
  const auto& all = panel.model.scene().parts().papers;
  if (const std::string& key = panel.model.view.paper; !key.empty())
    for (const auto& figure : all)
      if (figure.key == key) return &figure;
  return panel.state.paper.usual;
}

/// What the tracks are of, looked up when they are others.
void look_up_paper(PanelContext& panel) {
  auto& paper = panel.state.paper;
  if (!panel.simulation || paper.simulation == panel.simulation->id()) return;
  Scene& scene = panel.model.shown_scene();
  paper.simulation = panel.simulation->id();
  paper.since = ImGui::GetTime();
  paper.usual = nullptr;
  const auto* papers = scene.facet<Papers>();
  if (!papers) return;
  paper.made = papers->made();
  for (const auto& figure : scene.parts().papers)
    if (figure.work == paper.made.work &&
        (!paper.usual || (paper.usual->fractal != paper.made.fractal && figure.fractal == paper.made.fractal)))
      paper.usual = &figure;
}

std::optional<std::size_t> track_named(const Simulation& simulation, const std::string& name) {
  for (std::size_t i = 0; i < simulation.size(); ++i)
    if (simulation.track(i).info().name == name) return i;
  return std::nullopt;
}

/// What one of its tracks shows now; nothing where it was not measured.
std::optional<double> measured(PanelContext& panel, const PaperFigure& figure, const bench::PaperTrack& curve) {
  const Simulation& simulation = *panel.simulation;
  const auto track = track_named(simulation, curve.track);
  if (!track) return std::nullopt;
  if (figure.shows == PaperFigure::Shows::memory_gain) {
    const auto* stored = simulation.track(*track).facet<StorageFacet>();
    return stored ? std::optional(stored->memory_gain()) : std::nullopt;
  }
  if (figure.shows == PaperFigure::Shows::milliseconds) {
    const KernelTiming* row = panel.state.shown.find(simulation.track(*track).kernel(), *track);
    return row && row->milliseconds.median > 0 ? std::optional(row->milliseconds.median) : std::nullopt;
  }
  const auto against = track_named(simulation, curve.against);
  if (!against) return std::nullopt;
  const auto& shown = panel.state.shown;
  const auto ratio = *against == shown.baseline && *track < shown.ratios.size()
                         ? shown.ratios[*track]
                         : simulation.ratio_to_baseline(*track, *against);
  return ratio ? std::optional(ratio->median) : std::nullopt;
}

/// Keeps what is measured now with what was measured at other sizes.
void gather(PanelContext& panel, const PaperFigure& figure) {
  auto& paper = panel.state.paper;
  // Timings that are shown may be those of the tracks before.
  if (paper.gathered == panel.state.shown.at || panel.state.shown.at <= paper.since) return;
  if (paper.made.fractal != figure.fractal || paper.made.work != figure.work) return;
  const auto side = static_cast<double>(panel.simulation->track(0).extent().x);
  const bool by_side = figure.across == PaperFigure::Across::side;
  if (by_side && figure.block && paper.made.block != std::min<double>(figure.block, side)) return;
  paper.gathered = panel.state.shown.at;
  for (const auto& curve : figure.tracks)
    if (const auto value = measured(panel, figure, curve))
      paper.seen[figure.key + " " + curve.name][by_side ? side : paper.made.block] = *value;
}

}  // namespace

std::string paper_missing(const PanelContext& panel) {
  if (!panel.model.scene().facet<Papers>()) return "this scene has no figure of a paper";
  return chosen_figure(panel) ? "" : "this work has no figure of a paper";
}

/// What was printed and promised, and over it what this window has measured.
ui::Figure paper_figure(PanelContext& panel) {
  look_up_paper(panel);
  const PaperFigure* const paper = chosen_figure(panel);
  if (!paper) return {.title = "figure of a paper", .empty_words = paper_missing(panel)};
  if (panel.simulation) gather(panel, *paper);
  ui::Figure figure = ui::paper_figure(*paper, *panel.ui.theme);
  figure.title = paper->brief;
  std::vector<ui::Figure::Curve> own;
  for (std::size_t i = 0; i < paper->tracks.size(); ++i) {
    // In the colour that its track has here.
    const auto shown = panel.simulation ? track_named(*panel.simulation, paper->tracks[i].track) : std::nullopt;
    ui::Figure::Curve curve{.name = paper->tracks[i].name,
                            .colour = shown ? panel.ui.theme->tracks[*shown] : panel.ui.theme->quiet};
    curve.stroke = i % 2 ? ui::Stroke::dashed : ui::Stroke::solid;
    curve.marker = ui::Marker::dot;
    for (const auto& [x, y] : panel.state.paper.seen[paper->key + " " + curve.name])
      curve.x.push_back(x), curve.y.push_back(y);
    if (!curve.x.empty()) own.push_back(std::move(curve));
  }
  // Those first that a short legend shall name.
  figure.curves.insert(figure.curves.begin(), own.begin(), own.end());
  ui::fit_axes(figure, *paper);
  return figure;
}

}  // namespace warploom
