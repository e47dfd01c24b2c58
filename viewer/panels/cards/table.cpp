#include <algorithm>

#include "viewer/panels/cards/cards.h"

namespace warploom {

void table_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet,
               float label_width, float first_share) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(22);
  ImDrawList* list = ImGui::GetWindowDrawList();
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

void whole_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet,
               float label_width) {
  const float width = ImGui::GetContentRegionAvail().x, room = width - ui.px(label_width), gap = ui.px(4);
  float all = 0, longest = 0;
  for (const TableCell& cell : cells) {
    const float wanted = ui::text_width(ui.fonts->mono, cell.text) + gap;
    all += wanted;
    longest = std::max(longest, wanted);
  }
  if (cells.size() == 2 && all <= room && longest > room / 2) {
    const float first = ui::text_width(ui.fonts->mono, cells[0].text) + gap;
    return table_row(ui, label, cells, quiet, label_width, (first + (room - all) / 2) / room);
  }
  if (longest * float(cells.size()) <= room) return table_row(ui, label, cells, quiet, label_width);
  for (const TableCell& cell : cells) {
    table_row(ui, label, {cell}, quiet, label_width);
    label = {};
  }
}

}  // namespace warploom
