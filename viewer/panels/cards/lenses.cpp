#include "viewer/panels/cards/lenses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "viewer/ui/slider.h"

namespace warploom {

namespace {

std::string place(const Index3& at, bool solid) {
  if (at.x == ~0u) return "nowhere";
  return solid ? fmt::format("({}, {}, {})", at.x, at.y, at.z) : fmt::format("({}, {})", at.x, at.y);
}

/// The lines of 128 bytes a warp touches, as boxes of four sectors: filled as far as their bytes are used.
void strip(PanelContext& panel, const WarpAccess& access, std::uint64_t value_bytes, ImU32 colour) {
  auto& ui = panel.ui;
  std::map<std::uint64_t, std::array<std::uint64_t, 4>> lines;
  for (const auto& byte : access.bytes)
    if (byte) lines[*byte / 128][*byte / 32 % 4] += value_bytes;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, sector = ui.px(7), gap = ui.px(4), height = ui.px(12),
              step = 4 * sector + gap;
  const int columns = std::max(1, static_cast<int>((width + gap) / step));
  constexpr int most_rows = 4;
  ImDrawList* list = ImGui::GetWindowDrawList();
  int i = 0;
  for (const auto& [line, used] : lines) {
    if (i >= columns * most_rows) break;
    const ImVec2 corner{at.x + step * static_cast<float>(i % columns),
                        at.y + (height + gap) * static_cast<float>(i / columns)};
    for (std::size_t s = 0; s < 4; ++s) {
      const ImVec2 min{corner.x + sector * static_cast<float>(s), corner.y},
          max{min.x + sector - ui.px(1), min.y + height};
      list->AddRectFilled(min, max, ui.theme->raised);
      const float share = std::min(1.f, static_cast<float>(used[s]) / 32);
      if (used[s]) {
        list->AddRectFilled({min.x, max.y - std::max(ui.px(2), height * share)}, max, colour);
        list->AddRect(min, max, ui::fade(colour, .6f));
      }
    }
    ++i;
  }
  const int rows = std::max(1, (i + columns - 1) / columns);
  ImGui::Dummy({width, (height + gap) * static_cast<float>(rows)});
}

}  // namespace

void break_it_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  if (!simulation) return;
  const std::size_t track_index = std::min(model.active_track, simulation->size() - 1);
  const Track& track = simulation->track(track_index);
  const auto wrong = track.first_wrong();
  if (!wrong) return;
  const ui::Scope scope(ui, "break_it");
  ui::section_title(ui, "Break it \u00b7 " + track.info().title);
  const auto way = model.scene().break_it(*wrong);
  if (!way) {
    ui::quiet_text(ui, fmt::format("no wrong block below {} on this device", grouped(wrong->index)));
    return;
  }
  ui::key_value(ui, "first wrong block here", "w = " + grouped(wrong->index), ui::Role::bad);
  ui::key_value(ui, "published, CPU", "w = " + grouped(wrong->published));
  ui::key_value(ui, "says", place(wrong->answer, track.solid()), ui::Role::bad);
  ui::key_value(ui, "right", place(wrong->right, track.solid()), ui::Role::good);
  for (const auto& parameter : model.scene().parameters()) {
    if (parameter.key != way->key) continue;
    double n = double(std::get<std::int64_t>(parameter.get()));
    const double most = double(way->maximum) * 1.05 + 2;
    if (ui::slider(ui, "slider", parameter.title, n, 1, std::max(most, n), grouped(static_cast<std::uint64_t>(n)),
                   "slide the side up to the first failure and a little beyond", true)) {
      const auto wanted = static_cast<std::int64_t>(std::lround(n));
      // The newest place of the knob wins; what is being built is given up.
      if (wanted != std::get<std::int64_t>(parameter.get())) model.set(way->key, wanted);
    }
  }
  const auto counts = track.counts();
  if (counts && counts->wrong)
    ui::key_value(ui, "astray now",
                  fmt::format("{} of {} blocks", short_count(counts->wrong), short_count(counts->blocks)),
                  ui::Role::bad);
  else
    ui::quiet_text(ui, "at this n every block is still right; its seal holds, but it never shows a ratio");
  if (ui::link_button(ui, "reach", "go to the first failure (B)", ui::Icon::warning)) find_and_run(model, "break_it");
}

void coalescing_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const std::size_t track_index = std::min(model.active_track, simulation->size() - 1);
  const Track& track = simulation->track(track_index);
  const auto totals = track.layout_counts();
  if (totals.empty()) return;
  const ui::Scope scope(ui, "coalescing");
  ui::section_title(ui, "Coalescing \u00b7 " + track_letter(track_index));
  const auto who = model.owner_in(track_index, model.selection());
  const auto accesses = who ? track.warp_accesses(*who) : std::vector<WarpAccess>{};
  if (!who) ui::quiet_text(ui, "Select a thread: the sectors and lines its warp touches, under every layout.");
  std::uint64_t elements = 0;
  for (const auto& total : totals)
    if (total.layout == "linear") elements = total.elements;
  const std::uint64_t value_bytes = track.value_bytes();
  for (const auto& access : accesses) {
    const auto live =
        std::count_if(access.bytes.begin(), access.bytes.end(), [](const auto& b) { return b.has_value(); });
    ui::key_value(ui, access.layout + (track.info().layout == access.layout ? " \u00b7 own" : ""),
                  fmt::format("{} sectors, {} lines of {} lanes", access.sectors(), access.lines(), live));
    strip(panel, access, value_bytes, ui.theme->tracks[track_index]);
    if (track.info().layout == access.layout) {
      const auto first =
          std::find_if(access.bytes.begin(), access.bytes.end(), [](const auto& b) { return b.has_value(); });
      const auto last =
          std::find_if(access.bytes.rbegin(), access.bytes.rend(), [](const auto& b) { return b.has_value(); });
      if (first != access.bytes.end()) {
        std::string addresses;
        for (const auto& byte : access.bytes) addresses += byte ? fmt::format("0x{:x} ", *byte) : "\u2013 ";
        ui::quiet_text(ui, fmt::format("bytes 0x{:x} to 0x{:x}", **first, **last + value_bytes - 1));
        ui::help_tooltip(ui, "lanes 0 to 31: " + addresses);
      }
    }
  }
  ui::quiet_text(ui, "whole step: 32-byte sectors, 128-byte lines, padding");
  for (const auto& total : totals) {
    ui::key_value(ui, total.layout,
                  fmt::format("{}  {}  {:.1f} %", short_count(total.sectors), short_count(total.lines),
                              elements ? 100. * double(total.padding) / double(elements) : 0.));
    ui::help_tooltip(
        ui, fmt::format("{} sectors and {} lines, warp by warp; {} elements are padding, {:.1f} % of the cells",
                        grouped(total.sectors), grouped(total.lines), grouped(total.padding),
                        elements ? 100. * double(total.padding) / double(elements) : 0.));
  }
  for (const auto& line : model.scene().layout_theory(*simulation)) ui::quiet_text(ui, line);
  if (simulation->map_times().empty() &&
      ui::link_button(ui, "time_maps", "measure \u03b2 and \u03c4 (K)", ui::Icon::play))
    find_and_run(model, "time_maps");
}

}  // namespace warploom
