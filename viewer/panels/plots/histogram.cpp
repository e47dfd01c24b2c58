#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viewer/panels/plots/plots.h"

namespace warploom {

namespace {

ui::Figure counted_anew(const PanelContext& panel) {
  const auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  constexpr std::size_t bins = 96;
  ui::Figure figure{.title = "samples by kernel time, ms", .empty_words = "no samples yet"};
  std::vector<std::vector<double>> samples;
  std::vector<double> all;
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i) {
    samples.push_back(simulation->timings().samples(simulation->track(i).kernel(), static_cast<int>(i)));
    all.insert(all.end(), samples.back().begin(), samples.back().end());
  }
  std::sort(all.begin(), all.end());
  if (all.size() < 10) return figure;
  const double low = all.front(), high = std::max(all[all.size() * 99 / 100], low * 1.001);
  ui::Extent range, counts;
  range.add(low);
  range.add(high);
  counts.add(0);
  std::size_t slower = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ui::Figure::Curve curve{.name = track_letter(*panel.simulation, i), .colour = ui.theme->tracks[i]};
    curve.stroke = i % 2 ? ui::Stroke::dashed : ui::Stroke::solid;
    std::vector<double> count(bins);
    for (const double time : samples[i]) {
      if (time > high)
        ++slower;
      else
        count[std::min(bins - 1, static_cast<std::size_t>((time - low) / (high - low) * bins))] += 1;
    }
    // Steps: each bin is a level line, and between bins that have none is nothing.
    const auto point = [&](std::size_t edge, double value) {
      curve.x.push_back(low + (high - low) * static_cast<double>(edge) / bins);
      curve.y.push_back(value);
    };
    for (std::size_t bin = 0; bin < bins; ++bin) {
      if (count[bin] == 0) continue;
      if (bin == 0 || count[bin - 1] == 0) point(bin, NAN), point(bin, 0);
      point(bin, count[bin]);
      point(bin + 1, count[bin]);
      if (bin + 1 == bins || count[bin + 1] == 0) point(bin + 1, 0);
    }
    counts.add(curve.y);
    figure.curves.push_back(std::move(curve));
  }
  figure.x = ui::fitted(range, false, "ms");
  figure.x.name = "ms";
  figure.y = ui::fitted(counts, true, "samples");
  if (slower) figure.above.push_back({{figure.x.max}, fmt::format("{} slower", slower), ui.theme->quiet});
  return figure;
}

}  // namespace

ui::Figure histogram_figure(PanelContext& panel);

void histogram_tooltip(PanelContext& panel) {
  if (!ImGui::IsItemHovered()) return;
  auto& ui = panel.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(4), ui.px(4)});
  const ImVec2 size{ui.px(380), ui.px(210)};
  ImGui::SetNextWindowPos(ui::tooltip_place(ui, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()},
                                            {size.x + ui.px(8), size.y + ui.px(8)}));
  ImGui::BeginTooltip();
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + size.x, low.y + size.y};
  ImGui::Dummy({high.x - low.x, high.y - low.y});
  ui::draw(ui, {low, high}, histogram_figure(panel), nullptr);
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

/// How often each time was measured, of all samples that are kept. The slowest hundredth is counted, not drawn.
ui::Figure histogram_figure(PanelContext& panel) {
  auto& kept = panel.state.histogram;
  // On white, for a picture of it, its colours are others.
  if (kept.at != panel.state.shown.at || kept.theme != panel.ui.theme)
    kept = {panel.state.shown.at, panel.ui.theme, counted_anew(panel)};
  return kept.figure;
}

}  // namespace warploom
