#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/tracks/facets/counted.h"
#include "viewer/model/facets/theory.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/plot/usual.h"

namespace warploom {

namespace {

void kernel_plot(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  std::vector<std::vector<double>> curves;
  std::vector<double> all;
  ui::Extent steps;
  if (simulation)
    for (std::size_t i = 0; i < simulation->size(); ++i) {
      curves.emplace_back();
      for (const auto& row : state.shown.table)
        if (row.kernel == simulation->track(i).kernel() && row.track == int(i))
          curves.back().assign(row.recent.begin(), row.recent.end());
      steps.add(double(curves.back().size()));
      all.insert(all.end(), curves.back().begin(), curves.back().end());
    }
  // One slow step must not make a line of all others: it is only marked.
  const ui::Usual usual = ui::usual(all, .99, "ms");
  const ui::Axis x{ui::Scale::linear, 0, std::max(8., steps.max), "step", "step"};
  ui::Plot plot(ui, "times", area,
                {"kernel time, ms", x, usual.axis, "press Space: every step is timed", &state.crosshair});
  for (std::size_t i = 0; i < curves.size(); ++i)
    if (curves[i].size() > 1)
      plot.line({track_letter(i), ui.theme->tracks[i], {}, curves[i], i % 2 ? ui::Stroke::dashed : ui::Stroke::solid});
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<double> at;
    for (std::size_t k = 0; k < curves[i].size(); ++k)
      if (curves[i][k] > usual.axis.max) at.push_back(double(k));
    plot.above(at, "", ui.theme->tracks[i]);
  }
  plot.finish();
}

/// What each of the last frames cost, without waiting for the monitor. One slow frame in a hundred is only marked.
void frame_plot(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  ui::Usual usual = ui::usual(state.frame_ms, .99, "ms");
  usual.axis.name = "ms";
  const ui::Axis x{ui::Scale::linear, 0, double(PanelState::most_frames), "frame", "frame"};
  ui::Plot plot(ui, "frames", area, {"frame time", x, usual.axis, "no frames yet", nullptr});
  if (state.frame_ms.size() > 1) plot.line({"", ui.theme->accent, {}, state.frame_ms});
  plot.above(usual.above, ui::above_words(usual), ui.theme->accent);
  plot.finish();
}

ui::Axis axis_of_n(const ui::Extent& n) {
  ui::Axis axis = ui::fitted(n, false);
  axis.name = "n";
  return axis;
}

/// Speed-up over the first track by theory from measured costs of the maps alone, and as measured with the work.
void gain_plot(PanelContext& panel, const ui::Rectangle& area, const std::vector<TheoryCurve>& theory) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  ui::Extent n{ui::Scale::log2}, value;
  value.add(0);
  for (const auto& curve : theory) {
    n.add(curve.n);
    value.add(curve.value);
  }
  std::array<double, 4> at_n{}, at_value{};
  for (std::size_t i = 1; i < simulation->size(); ++i)
    if (i < state.shown.ratios.size() && state.shown.ratios[i]) value.add(state.shown.ratios[i]->median);
  ui::Plot plot(ui, "gain", area, {"speed-up against n", axis_of_n(n), ui::fitted(value, true, "\u00d7"), "", nullptr});
  for (const auto& curve : theory)
    plot.line({curve.name.empty() ? track_letter(curve.track) : curve.name,
               curve.name.empty() ? ui.theme->tracks[curve.track] : ui.theme->quiet, curve.n, curve.value,
               ui::Stroke::dashed});
  for (std::size_t i = 1; i < simulation->size(); ++i) {
    if (i >= state.shown.ratios.size() || !state.shown.ratios[i]) continue;
    at_n[i] = simulation->track(i).extent().x;
    at_value[i] = state.shown.ratios[i]->median;
    plot.points({"", ui.theme->tracks[i], {&at_n[i], 1}, {&at_value[i], 1}, ui::Stroke::solid, ui::Marker::dot});
  }
  plot.finish();
}

/// Threads a cell by closed form, against n, and where the scene stands.
void waste_plot(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const auto* gain = model.scene().facet<GainTheory>();
  if (simulation && gain)
    if (const auto gains = gain->gains(*simulation); !gains.empty()) {
      gain_plot(panel, area, gains);
      return;
    }
  const auto* waste = model.scene().facet<Theory>();
  const auto theory = waste ? waste->waste() : std::vector<TheoryCurve>{};
  ui::Extent n{ui::Scale::log2}, value{ui::Scale::log2};
  for (const auto& curve : theory) {
    n.add(curve.n);
    value.add(curve.value);
  }
  std::array<double, 4> at_n{}, at_value{};
  ui::Plot plot(ui, "waste", area,
                {"threads a cell against n", axis_of_n(n), ui::fitted(value, false, "\u00d7"),
                 waste ? "" : "no closed form is known here", nullptr});
  for (const auto& curve : theory) {
    plot.line({track_letter(curve.track), ui.theme->tracks[curve.track], curve.n, curve.value,
               curve.track % 2 ? ui::Stroke::dashed : ui::Stroke::solid});
    if (!simulation || curve.track >= simulation->size()) continue;
    if (const auto counts = counts_of(simulation->track(curve.track))) {
      at_n[curve.track] = simulation->track(curve.track).extent().x;
      at_value[curve.track] = double(counts->launched) / double(std::max<std::uint64_t>(1, counts->useful));
      plot.points({"",
                   ui.theme->tracks[curve.track],
                   {&at_n[curve.track], 1},
                   {&at_value[curve.track], 1},
                   ui::Stroke::solid,
                   ui::Marker::dot});
    }
  }
  plot.finish();
}

}  // namespace

void plots_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "plots");
  begin_panel(panel, "plots", area, ui.theme->panel, 0, 0);
  using PlotOf = void (*)(PanelContext&, const ui::Rectangle&);
  constexpr PlotOf plots[] = {kernel_plot, frame_plot, waste_plot};
  // As many as have room to be read; the first matters most.
  const int shown = std::clamp(static_cast<int>(area.width() / ui.px(208)), 1, 3);
  for (int i = 0; i < shown; ++i) {
    ui::Rectangle part = area;
    part.min.x = area.min.x + std::floor(area.width() * static_cast<float>(i) / static_cast<float>(shown));
    part.max.x = area.min.x + std::floor(area.width() * static_cast<float>(i + 1) / static_cast<float>(shown));
    plots[i](panel, part);
    if (i) ImGui::GetWindowDrawList()->AddLine(part.min, {part.min.x, part.max.y}, ui.theme->line);
  }
  ImGui::End();
}

}  // namespace warploom
