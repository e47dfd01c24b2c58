#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "viewer/model/facets/theory.h"
#include "viewer/model/glossary.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

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
    const int column = i % columns, row = i / columns;
    const ImVec2 corner{at.x + step * static_cast<float>(column), at.y + (height + gap) * static_cast<float>(row)};
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

/// The selected warp's memory under every layout, totals over the domain, and the paper's formulas.
void memory_card(PanelContext& panel, std::size_t track_index, Track&, Accesses& memory) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const auto totals = memory.totals();
  if (totals.empty()) return;
  const ui::Scope scope(ui, "coalescing");
  ui::section_title(ui, "Coalescing \u00b7 " + track_letter(track_index));
  ui::help_tooltip(ui, [] { return meaning("coalescing") + " " + meaning("sector"); });
  const auto who = model.owner_in(track_index, model.selection());
  const auto accesses = who ? memory.warp(*who) : std::vector<WarpAccess>{};
  if (!who) ui::quiet_text(ui, "Select a thread: the sectors and lines its warp touches, under every layout.");
  std::uint64_t elements = 0;
  for (const auto& total : totals)
    if (total.layout == "linear") elements = total.elements;
  const std::uint64_t value_bytes = memory.value_bytes();
  for (const auto& access : accesses) {
    const auto live =
        std::count_if(access.bytes.begin(), access.bytes.end(), [](const auto& b) { return b.has_value(); });
    ui::key_value(ui, access.layout + (access.own ? " \u00b7 own" : ""),
                  fmt::format("{}, {} of {}", counted(access.sectors(), "sector"), counted(access.lines(), "line"),
                              counted(static_cast<std::uint64_t>(live), "lane")));
    strip(panel, access, value_bytes, ui.theme->tracks[track_index]);
    if (access.own) {
      const auto first =
          std::find_if(access.bytes.begin(), access.bytes.end(), [](const auto& b) { return b.has_value(); });
      const auto last =
          std::find_if(access.bytes.rbegin(), access.bytes.rend(), [](const auto& b) { return b.has_value(); });
      if (first != access.bytes.end()) {
        ui::quiet_text(ui, fmt::format("bytes 0x{:x} to 0x{:x}", **first, **last + value_bytes - 1));
        ui::help_tooltip(ui, [&] {
          std::string addresses;
          for (const auto& byte : access.bytes) addresses += byte ? fmt::format("0x{:x} ", *byte) : "\u2013 ";
          return "lanes 0 to 31: " + addresses;
        });
      }
    }
  }
  ui::quiet_text(ui, "whole step: 32-byte sectors, 128-byte lines, padding");
  for (const auto& total : totals) {
    ui::key_value(ui, total.layout,
                  fmt::format("{}  {}  {:.1f} %", short_count(total.sectors), short_count(total.lines),
                              elements ? 100. * double(total.padding) / double(elements) : 0.));
    ui::help_tooltip(ui, [&] {
      return fmt::format("{} sectors and {} lines, warp by warp; {} elements are padding, {:.1f} % of the cells",
                         grouped(total.sectors), grouped(total.lines), grouped(total.padding),
                         elements ? 100. * double(total.padding) / double(elements) : 0.);
    });
  }
  if (const auto* theory = model.scene().facet<GainTheory>())
    for (const auto& line : theory->layout_lines(*simulation)) ui::quiet_text(ui, line);
  if (!simulation->map_times().empty()) return;
  const bool measure = ui::link_button(ui, "time_maps", "measure \u03b2 and \u03c4 (K)", ui::Icon::play);
  ui::help_tooltip(ui, [] { return meaning("beta") + " " + meaning("tau"); });
  if (measure) find_and_run(model, "time_maps");
}

}  // namespace warploom
