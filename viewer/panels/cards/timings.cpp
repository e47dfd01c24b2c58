#include <fmt/format.h>

#include <algorithm>

#include "viewer/panels/cards/cards.h"
#include "viewer/panels/cards/table.h"

namespace warploom {

namespace {

const KernelTiming* find(const PanelState::Shown& shown, const std::string& kernel, std::size_t track) {
  for (const auto& row : shown.table)
    if (row.kernel == kernel && row.track == static_cast<int>(track)) return &row;
  return nullptr;
}

std::string short_name(const std::string& kernel) { return kernel.substr(kernel.find('.') + 1); }

/// Samples below 10 in short: .041
std::string brief(double ms) {
  if (!(ms > 0)) return "\u2013";
  std::string text = ms < 1     ? fmt::format("{:.4f}", ms)
                     : ms < 100 ? fmt::format("{:.2f}", ms)
                                : fmt::format("{:.0f}", ms);
  if (text.starts_with("0.")) text.erase(0, 1);
  return text;
}

}  // namespace

/// Kernel times of every track, ratios to the baseline.
void timings_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const auto& model = panel.model;
  const auto& state = panel.state;
  const auto& simulation = panel.simulation;
  const ui::Scope scope(ui, "timings");
  ui::section_title(ui, "Timings, ms");
  const std::size_t tracks = simulation->size();
  const auto& theme = *ui.theme;
  std::vector<TableCell> head;
  for (std::size_t i = 0; i < tracks; ++i) head.push_back({track_letter(i), theme.track_text[i]});
  // Long names of works have room where tracks are few.
  const float label_width = tracks <= 2 ? 116 : 76;
  table_row(ui, "kernel", head, true, label_width);
  const auto row = [&](const std::string& label, const std::string& kernel, auto value, bool quiet) {
    std::vector<TableCell> cells;
    for (std::size_t i = 0; i < tracks; ++i) {
      const KernelTiming* timing = find(state.shown, kernel.empty() ? simulation->track(i).kernel() : kernel, i);
      cells.push_back({timing ? value(*timing) : "\u2013", quiet            ? theme.quiet
                                                           : kernel.empty() ? theme.track_text[i]
                                                                            : theme.text});
    }
    table_row(ui, label, cells, quiet, label_width);
  };
  const std::string work = short_name(simulation->track(0).kernel());
  row(
      work, "", [](const KernelTiming& t) { return milliseconds_text(t.milliseconds.median); }, false);
  row(
      "P5", "", [](const KernelTiming& t) { return brief(t.milliseconds.p5); }, true);
  row(
      "P95", "", [](const KernelTiming& t) { return brief(t.milliseconds.p95); }, true);
  row(
      "P99", "", [](const KernelTiming& t) { return brief(t.milliseconds.p99); }, true);
  row(
      "samples", "", [](const KernelTiming& t) { return grouped(t.milliseconds.samples); }, true);
  const std::string family = simulation->track(0).kernel().substr(0, simulation->track(0).kernel().find('.') + 1);
  row(
      "seal", family + "seal", [](const KernelTiming& t) { return milliseconds_text(t.milliseconds.median); }, false);
  row(
      "colour", family + "colour", [](const KernelTiming& t) { return milliseconds_text(t.milliseconds.median); },
      false);
  table_row(ui, "interop, shared", {{milliseconds_text(model.times.interop), theme.quiet}}, true, 130);
  table_row(ui, "interface, shared", {{milliseconds_text(model.times.ui), theme.quiet}}, true, 130);
  // ---- sparklines of the work, one a track ----------------------------------------------------------------------
  for (std::size_t i = 0; i < tracks; ++i) {
    const KernelTiming* timing = find(state.shown, simulation->track(i).kernel(), i);
    if (!timing || timing->recent.size() < 4) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(24);
    const std::vector<double> recent(timing->recent.begin(), timing->recent.end());
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, theme.track_text[i], at,
                  {at.x + ui.px(20), at.y + height}, track_letter(i));
    ui::sparkline(ui, ImGui::GetWindowDrawList(), {at.x + ui.px(20), at.y + ui.px(2)},
                  {at.x + width, at.y + height - ui.px(2)}, recent, theme.tracks[i], timing->milliseconds.p5,
                  timing->milliseconds.p95);
    ImGui::Dummy({width, height});
  }
  // ---- ratios ------------------------------------------------------------------------------------------------------
  const auto status = simulation->status();
  for (std::size_t i = 1; i < tracks; ++i) {
    const std::string label = "A : " + track_letter(i);
    if (status[i].agrees && status[0].agrees &&
        (!simulation->track(i).info().exact || !simulation->track(0).info().exact)) {
      ui::key_value(ui, label, "INEXACT: no ratio", ui::Role::warning);
      continue;
    }
    if (!status[i].agrees || !status[0].agrees) {
      ui::key_value(ui, label, "SEAL BROKEN", ui::Role::bad);
      continue;
    }
    const auto& ratio = i < state.shown.ratios.size() ? state.shown.ratios[i] : std::nullopt;
    const std::string text =
        ratio ? fmt::format("{:.2f}\u00d7  [{:.2f}, {:.2f}]", ratio->median, ratio->low, ratio->high) : "\u2013";
    ui::key_value(ui, label, text);
    ui::help_tooltip(ui, fmt::format("time of A over time of {}, median of paired steps with a 95 % bootstrap interval",
                                     track_letter(i)));
  }
}

}  // namespace warploom
