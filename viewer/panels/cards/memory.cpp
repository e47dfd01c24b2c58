#include <fmt/format.h>

#include <algorithm>

#include "viewer/panels/cards/cards.h"

namespace warploom {
namespace {

/// What the selected warp touches in memory, asked once for as long as the selection stays: where threads serve many
/// cells, a warp has thousands of addresses.
class WarpMemory {
 public:
  struct Layout {
    WarpAccess access;
    std::uint64_t sectors = 0, lines = 0, cells = 0;
    std::map<std::uint64_t, std::array<std::uint64_t, 4>> used;  ///< of each line touched: bytes of its four sectors
  };

  /// The warp of `who` in a track of the simulation of that number, under every layout.
  const std::vector<Layout>& of(std::uint64_t simulation, std::size_t track, const Accesses& memory, const Owner& who) {
    if (!layouts_.empty() && simulation == simulation_ && track == track_ && who == who_) return layouts_;
    simulation_ = simulation;
    track_ = track;
    who_ = who;
    layouts_.clear();
    for (WarpAccess& access : memory.warp(who)) {
      Layout layout;
      for (const auto& byte : access.bytes)
        if (byte) {
          layout.used[*byte / 128][*byte / 32 % 4] += memory.value_bytes();
          ++layout.cells;
        }
      layout.sectors = access.sectors();
      layout.lines = layout.used.size();
      layout.access = std::move(access);
      layouts_.push_back(std::move(layout));
    }
    return layouts_;
  }

 private:
  std::uint64_t simulation_ = 0;
  std::size_t track_ = 0;
  Owner who_;
  std::vector<Layout> layouts_;
};

/// The lines of 128 bytes that a warp touches, as boxes of four sectors, filled as far as their bytes are used.
void strip(PanelContext& panel, const WarpMemory::Layout& layout, ImU32 colour) {
  auto& ui = panel.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, sector = ui.px(7), gap = ui.px(4), height = ui.px(12),
              step = 4 * sector + gap;
  const int columns = std::max(1, static_cast<int>((width + gap) / step));
  constexpr int most_rows = 4;
  ImDrawList* list = ImGui::GetWindowDrawList();
  int i = 0;
  for (const auto& [line, used] : layout.used) {
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
  const ui::Section section(ui, "coalescing", "Coalescing \u00b7 " + track_letter(*panel.simulation, track_index),
                            [] { return meaning("coalescing") + " " + meaning("sector"); });
  if (!section) return;
  const auto who = model.owner_in(track_index, model.selection());
  if (!who) ui::quiet_text(ui, "Select a thread to see the sectors and lines its warp touches, under every layout.");
  std::uint64_t elements = 0;
  for (const auto& total : totals)
    if (total.layout == "linear") elements = total.elements;
  const std::uint64_t value_bytes = memory.value_bytes();
  static const std::vector<WarpMemory::Layout> none;
  for (const auto& layout : who ? state.own<WarpMemory>().of(simulation->id(), track_index, memory, *who) : none) {
    const WarpAccess& access = layout.access;
    ui::key_value(ui, access.layout + (access.own ? " \u00b7 own" : ""),
                  fmt::format("{}, {} of {}", counted(layout.sectors, "sector"), counted(layout.lines, "line"),
                              counted(layout.cells, access.bytes.size() > warp_size ? "cell" : "lane")));
    strip(panel, layout, ui.theme->tracks[track_index]);
    if (access.own) {
      const auto there = [](const auto& b) { return b.has_value(); };
      const auto first = std::find_if(access.bytes.begin(), access.bytes.end(), there);
      const auto last = std::find_if(access.bytes.rbegin(), access.bytes.rend(), there);
      if (first != access.bytes.end()) {
        ui::quiet_text(ui, fmt::format("bytes 0x{:x} to 0x{:x}", **first, **last + value_bytes - 1));
        ui::help_tooltip(ui, [&] {
          // The first cell of each lane: people read thirty-two addresses, not thousands.
          const std::size_t each = std::max<std::size_t>(1, access.bytes.size() / warp_size);
          std::string addresses = each > 1 ? "lanes 0 to 31, the first cell of each: " : "lanes 0 to 31: ";
          for (auto lane = access.bytes.begin(); lane != access.bytes.end(); lane += std::ptrdiff_t(each)) {
            const auto cell = std::find_if(lane, lane + std::ptrdiff_t(each), there);
            addresses += cell != lane + std::ptrdiff_t(each) ? fmt::format("0x{:x} ", **cell) : "\u2013 ";
          }
          return addresses;
        });
      }
    }
  }
  ui::quiet_text(ui, "whole step: 32-byte sectors, 128-byte lines, padding");
  for (const auto& total : totals) {
    const double padding = elements ? 100. * double(total.padding) / double(elements) : 0.;
    ui::key_value(ui, total.layout,
                  fmt::format("{}  {}  {:.1f} %", short_count(total.sectors), short_count(total.lines), padding));
    ui::help_tooltip(ui, [&] {
      return fmt::format("{} sectors and {} lines, warp by warp; {} elements are padding, {:.1f} % of the cells",
                         grouped(total.sectors), grouped(total.lines), grouped(total.padding), padding);
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
