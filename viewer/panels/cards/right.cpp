#include <fmt/format.h>

#include <algorithm>

#include "viewer/panels/cards/lenses.h"

namespace warploom {

namespace {

/// One row of a table: a label and right-aligned columns, each in its colour.
struct TableCell {
  std::string text;
  ImU32 colour;
};
void table_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet = false,
               float label_width = 76, float first_share = 0) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(22);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Columns are equal, unless the first of two has a share of its own.
  const float first = at.x + ui.px(label_width), all = width - ui.px(label_width),
              count = static_cast<float>(std::max<std::size_t>(1, cells.size()));
  ui::draw_text(list, ui.fonts->mono, quiet ? ui.theme->quiet : ui.theme->text, at, {first - ui.px(4), at.y + height},
                label);
  const auto edge = [&](std::size_t i) {
    return first + all * (first_share > 0 && i == 1 ? first_share : static_cast<float>(i) / count);
  };
  for (std::size_t i = 0; i < cells.size(); ++i)
    ui::draw_text(list, ui.fonts->mono, cells[i].colour, {edge(i) + ui.px(4), at.y}, {edge(i + 1), at.y + height},
                  cells[i].text, ui::Align::right);
  ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y});
}

const KernelTiming* find(const PanelState::Shown& shown, const std::string& kernel, std::size_t track) {
  for (const auto& row : shown.table)
    if (row.kernel == kernel && row.track == static_cast<int>(track)) return &row;
  return nullptr;
}

/// "3, 1" or "3, 1, 4"
std::string numbers(const Index3& at, bool solid) {
  return solid ? fmt::format("{}, {}, {}", at.x, at.y, at.z) : fmt::format("{}, {}", at.x, at.y);
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

void timings_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
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

void threads_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const ui::Scope scope(ui, "threads");
  ui::section_title(ui, "Threads");
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const auto counts = simulation->track(i).counts();
    if (!counts) {
      ui::quiet_text(ui, track_letter(i) + "  counting \u2026");
      continue;
    }
    const double share = double(counts->useful) / double(std::max<std::uint64_t>(1, counts->launched));
    ui::waste_bar(ui, {ui.theme->tracks[i], ui.theme->track_text[i], share, track_letter(i),
                       fmt::format("{} useful of {}", short_count(counts->useful), short_count(counts->launched)),
                       fmt::format("{:.1f} %", 100 * share)});
    const double sectors = 32. * double(counts->sectors) / double(std::max<std::uint64_t>(1, counts->useful));
    ui::quiet_text(ui, fmt::format("warps {} full, {} partial, {} idle", short_count(counts->warps_full),
                                   short_count(counts->warps_partial), short_count(counts->warps_idle)));
    ui::help_tooltip(
        ui,
        fmt::format("{:.2f} bytes of 32-byte sectors touched for each useful byte; launched threads by closed form: {}",
                    sectors, short_count(counts->launched_stated)));
  }
  ui::quiet_text(ui, "closed form: " + model.scene().theory(*simulation));
}

void inspector_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const ui::Scope scope(ui, "inspector");
  const Selection& selection = model.selection();
  const auto target = model.target_of(selection);
  if (selection.space == Selection::Space::none) {
    ui::section_title(ui, "Inspector");
    ui::quiet_text(ui,
                   "Hover a cell or a thread: who serves it, from where, and how the map finds it. Click to keep it.");
    return;
  }
  const std::string what =
      selection.space == Selection::Space::cell ? "cell" : "thread of " + track_letter(selection.track) + " \u2192";
  ui::section_title(ui, "Inspector \u00b7 " + what +
                            (target ? " (" + numbers(target->cell, simulation->track(0).solid()) + ")" : ""));
  if (target && !target->useful) ui::key_value(ui, "cell", "empty: outside the domain", ui::Role::warning);
  std::optional<Owner> formula_owner;
  std::size_t formula_track = std::min(model.active_track, simulation->size() - 1);
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const Track& track = simulation->track(i);
    const auto who = model.owner_in(i, selection);
    if (!who) {
      table_row(ui, "owner " + track_letter(i), {{"nobody", ui.theme->quiet}}, true);
      continue;
    }
    if (i == formula_track) formula_owner = who;
    if (track.solid()) {  // three numbers each: a row each
      table_row(ui, "owner " + track_letter(i),
                {{fmt::format("block ({})", numbers(who->block, true)), ui.theme->track_text[i]}}, false, 66);
      table_row(ui, "", {{fmt::format("thread ({})", numbers(who->thread, true)), ui.theme->track_text[i]}}, false, 66);
    } else {
      table_row(ui, "owner " + track_letter(i),
                {{fmt::format("block ({})", numbers(who->block, track.solid())), ui.theme->track_text[i]},
                 {fmt::format("thread ({})", numbers(who->thread, track.solid())), ui.theme->track_text[i]}},
                false, 66);
    }
    if (track.launches().size() > 1 || who->turn > 0)
      table_row(ui, "",
                {{fmt::format("launch {} of {}", who->launch + 1, track.launches().size()), ui.theme->quiet},
                 {fmt::format("turn {}", who->turn), ui.theme->quiet}},
                true, 66, .68f);
    const auto linear = linear_index(who->thread, track.launches()[0].threads);
    table_row(ui, "",
              {{fmt::format("warp {}, lane {}", linear / warp_size, linear % warp_size), ui.theme->quiet},
               {target && target->useful ? "useful" : "waste", ui.theme->quiet}},
              true, 66, .68f);
  }
  if (target && target->useful) {
    const std::uint64_t address = simulation->track(formula_track).address(target->cell);
    table_row(
        ui, "address",
        {{fmt::format("0x{:05x}", address), ui.theme->text}, {fmt::format("sector {}", address / 32), ui.theme->text}},
        false, 66);
    table_row(ui, "",
              {{fmt::format("line {}", address / 128), ui.theme->quiet},
               {fmt::format("byte {}", address % 32), ui.theme->quiet}},
              true, 66);
  }
  if (!formula_owner) return;
  const Formula formula = simulation->track(formula_track).formula(*formula_owner);
  if (formula.steps.empty()) return;
  const int at = std::min(model.formula_level, int(formula.steps.size()) - 1);
  model.formula_level = std::max(0, at);
  ui::section_title(ui, fmt::format("{} {}, step {} of {}", track_letter(formula_track), formula.title, at + 1,
                                    formula.steps.size()));
  for (std::size_t i = 0; i < formula.steps.size(); ++i) {
    const bool current = int(i) == at;
    if (current) {
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddRectFilled(
          {corner.x - ui.px(6), corner.y},
          {corner.x + ImGui::GetContentRegionAvail().x + ui.px(6), corner.y + ui.px(22)},
          ui::fade(ui.theme->accent, .16f));
    }
    const auto& step = formula.steps[i];
    table_row(ui, step.what,
              {{step.how, current ? ui.theme->text : ui.theme->quiet},
               {step.result, current ? ui.theme->text : ui.theme->quiet}},
              !current, 36, .62f);
  }
  table_row(ui, formula.result.what, {{formula.result.result, ui.theme->text}}, false, 66);
}

}  // namespace

void right_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "right");
  begin_panel(panel, "right", area, ui.theme->panel, 14, 4, PanelKind::scrolling);
  if (panel.simulation) {
    timings_card(panel);
    threads_card(panel);
    inspector_card(panel);
    coalescing_card(panel);
  } else {
    ui::section_title(ui, "Timings");
    ui::quiet_text(ui, "No tracks yet.");
  }
  ImGui::End();
}

}  // namespace warploom
