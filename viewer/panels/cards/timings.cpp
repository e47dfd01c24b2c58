#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/tracks/facets/rate.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/ui/buttons.h"

namespace warploom {
namespace {

/// Three significant figures or more, in at most five characters.
std::string rate_text(double rate) {
  return fmt::format("{:.{}f}", rate, rate >= 100 ? 0 : rate >= 10 ? 1 : rate >= 1 ? 2 : 3);
}

std::string short_name(const std::string& kernel) { return kernel.substr(kernel.find('.') + 1); }

/// One unit and one number of decimals for the whole table, so that its points stand below each other: at most four
/// significant figures of the largest time, what the columns have room for, and no more than the samples carry. In
/// microseconds where there is room for fewer than three of times below a millisecond.
struct Column {
  bool micro = false;
  int decimals = 4;
  /// Fits the times of the tracks' work and, where those are shown, the other costs.
  Column(const PanelState& state, const Simulation& simulation, float characters) {
    double most = 0, typical = 0;
    int carried = 0;  // decimals of a millisecond
    for (const auto& row : state.shown.table) {
      if (row.track < 0) continue;
      const auto track = static_cast<std::size_t>(row.track);
      const bool work = track < simulation.size() && row.kernel == simulation.track(track).kernel();
      const Summary& time = row.milliseconds;
      if (work || state.other_costs) most = std::max(most, time.samples > 1 ? time.p99 : time.median);
      if (!work || !(time.median > 0)) continue;
      typical = std::max(typical, time.median);
      carried = std::max(carried, figures_of(time) - 1 - static_cast<int>(std::floor(std::log10(time.median))));
    }
    decimals = room_behind(most, characters, 4);
    micro = typical > 0 && typical < 1 && decimals + static_cast<int>(std::floor(std::log10(typical))) + 1 < 3;
    if (micro) decimals = room_behind(1e3 * most, characters, 1);
    if (typical > 0) decimals = std::clamp(carried - (micro ? 3 : 0), 0, decimals);
  }
  static int room_behind(double most, float characters, int at_most) {
    const int whole = most >= 10 ? 1 + static_cast<int>(std::log10(most)) : 1;
    return std::clamp(std::min(5 - whole, static_cast<int>(characters) - whole - 1), 0, at_most);
  }
  const char* title() const { return micro ? "Timings, \u00b5s" : "Timings, ms"; }
  std::string operator()(double ms) const {
    return ms > 0 ? fmt::format("{:.{}f}", micro ? 1e3 * ms : ms, decimals) : "\u2013";
  }
};
/// Rates of tracks whose work has a measure of its own.
void rate_rows(PanelContext& panel, float label_width) {
  std::vector<TableCell> cells;
  std::string unit;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i) {
    const Track& track = panel.simulation->track(i);
    const auto* rated = track.facet<RateFacet>();
    if (!rated) return;
    const auto work = rated->work();
    unit = work.unit;
    const KernelTiming* timing = panel.state.shown.find(track.kernel(), i);
    const bool known = timing && timing->milliseconds.median > 0;
    cells.push_back(
        {known ? rate_text(work.amount / (timing->milliseconds.median / 1e3)) : "\u2013", panel.ui.theme->text});
  }
  table_row(panel.ui, unit, cells, false, label_width);
  ui::help_tooltip(panel.ui, "work of a step divided by its median time, as papers count it");
}

}  // namespace

void timings_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const auto& model = panel.model;
  const auto& state = panel.state;
  const auto& simulation = panel.simulation;
  const std::size_t tracks = simulation->size();
  // Long names of works have room where tracks are few.
  const float label_width = tracks <= 2 ? 116 : 74;
  const float room = (ImGui::GetContentRegionAvail().x - ui.px(label_width)) / static_cast<float>(tracks) - ui.px(4);
  const Column column(state, *simulation, room / ui::text_width(ui.fonts->mono, "0"));
  const ui::Section section(ui, "timings", column.title(), meaning("sample"));
  if (!section) return;
  const auto& theme = *ui.theme;
  std::vector<TableCell> head;
  for (std::size_t i = 0; i < tracks; ++i) head.push_back({track_letter(*panel.simulation, i), theme.track_text[i]});
  // A name too long for the labels' column has a row of its own.
  const std::string work = short_name(simulation->track(0).kernel());
  const bool apart = ui::text_width(ui.fonts->mono, work) > ui.px(label_width) - ui.px(4);
  if (apart) ui::key_value(ui, "kernel", work);
  table_row(ui, apart ? "" : "kernel", head, true, label_width);
  const auto row = [&](const std::string& label, const std::string& kernel, auto value, bool quiet) {
    std::vector<TableCell> cells;
    for (std::size_t i = 0; i < tracks; ++i) {
      const KernelTiming* timing = state.shown.find(kernel.empty() ? simulation->track(i).kernel() : kernel, i);
      cells.push_back({timing ? value(*timing) : "\u2013", quiet            ? theme.quiet
                                                           : kernel.empty() ? theme.track_text[i]
                                                                            : theme.text});
    }
    table_row(ui, label, cells, quiet, label_width);
    ui::help_tooltip(ui, [&]() -> std::string {
      if (label == "GB/s")
        return "bytes that the step reads and writes, divided by its median time; Shift+K measures the memory ceiling";
      if (label == "launches") return "launches / steps of a sample: a frame's time divided by its number of steps";
      if (label == "colour") return "painting the pictures, on the device";
      return meaning(label.starts_with("P") ? "P5, P95, P99"
                     : label == "samples"   ? "sample"
                     : label == "ceiling %" ? "ceiling"
                     : label == "seal"      ? "seal"
                                            : "kernel");
    });
  };
  using Times = decltype(KernelTiming::milliseconds);
  const auto time_row = [&](const std::string& label, double Times::*time, bool quiet, const std::string& kernel = "") {
    row(
        label, kernel, [&](const KernelTiming& t) { return column(t.milliseconds.*time); }, quiet);
  };
  time_row(apart ? "median" : work, &Times::median, false);
  time_row("P5", &Times::p5, true);
  time_row("P95", &Times::p95, true);
  time_row("P99", &Times::p99, true);
  row(
      "samples", "", [](const KernelTiming& t) { return grouped(t.milliseconds.samples); }, true);
  if (std::ranges::any_of(state.shown.table, [](const KernelTiming& t) { return t.track >= 0 && t.steps > 1; }))
    row(
        "launches", "", [](const KernelTiming& t) { return fmt::format("{}/{}", t.launches, t.steps); }, true);
  row(
      "GB/s", "", [](const KernelTiming& t) { return t.bytes ? rate_text(t.gb_per_s()) : "\u2013"; }, true);
  rate_rows(panel, label_width);
  if (const double ceiling = model.machine.copy_ceiling; ceiling > 0)
    row(
        "ceiling %", "",
        [&](const KernelTiming& t) {
          return t.bytes ? fmt::format("{:.1f}", 100 * (1e9 * t.gb_per_s() / ceiling)) : "\u2013";
        },
        true);
  const std::string family = simulation->track(0).kernel().substr(0, simulation->track(0).kernel().find('.') + 1);
  ui::fold(ui, "others", "what else it costs", panel.state.other_costs);
  ui::help_tooltip(ui, "time spent besides the steps: seals, pictures, interop, these panels");
  if (panel.state.other_costs) {
    for (const char* name : {"seal", "colour"}) time_row(name, &Times::median, false, family + name);
    table_row(ui, "interop, shared", {{column(state.shown.interop), theme.quiet}}, true, 130);
    ui::help_tooltip(ui, meaning("interop"));
    table_row(ui, "interface, shared", {{column(model.times.ui), theme.quiet}}, true, 130);
    ui::help_tooltip(ui, "what drawing these panels costs the processor per frame");
  }
  // ---- sparklines of the work, one per track ----------------------------------------------------------------------
  for (std::size_t i = 0; i < tracks; ++i) {
    const KernelTiming* timing = state.shown.find(simulation->track(i).kernel(), i);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(24);
    // Its place is kept from the start: what stands below must not jump.
    if (!timing || timing->recent.size() < 4) {
      ImGui::Dummy({width, height});
      continue;
    }
    const std::vector<double> recent(timing->recent.begin(), timing->recent.end());
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, theme.track_text[i], at,
                  {at.x + ui.px(20), at.y + height}, track_letter(*panel.simulation, i));
    ui::sparkline(ui, ImGui::GetWindowDrawList(), {at.x + ui.px(20), at.y + ui.px(2)},
                  {at.x + width, at.y + height - ui.px(2)}, recent, theme.tracks[i], timing->milliseconds.p5,
                  timing->milliseconds.p95);
    ImGui::Dummy({width, height});
    histogram_tooltip(panel);
  }
  // ---- ratios ------------------------------------------------------------------------------------------------------
  const auto status = simulation->status();
  const std::size_t base = model.baseline_of(*simulation);
  for (std::size_t i = 0; i < tracks; ++i) {
    if (i == base) continue;
    const std::string label = track_letter(*panel.simulation, base) + " : " + track_letter(*panel.simulation, i);
    const char *const badge = status[i].badge(), *const of_base = status[base].badge();
    if (!*badge && !*of_base && (!simulation->track(i).info().exact || !simulation->track(base).info().exact)) {
      ui::key_value(ui, label, "INEXACT: no ratio", ui::Role::warning);
      continue;
    }
    if (*badge || *of_base) {
      ui::key_value(ui, label, *badge ? badge : of_base, ui::Role::bad);
      continue;
    }
    const auto ratio = state.shown.ratio(i);
    ui::key_value(ui, label, ratio ? ratio_text(*ratio) : "\u2013");
    ui::help_tooltip(ui, [&] {
      return fmt::format("time of {} over time of {}, median of paired steps with a 95 % bootstrap interval",
                         track_letter(*panel.simulation, base), track_letter(*panel.simulation, i));
    });
  }
}

}  // namespace warploom
