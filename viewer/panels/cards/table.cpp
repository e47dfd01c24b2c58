#include <algorithm>
#include <sstream>
#include <string>

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
  const float width = ImGui::GetContentRegionAvail().x, gap = ui.px(4);
  const float wanted_label = ui::text_width(ui.fonts->mono, label) + 2 * gap;
  float all = 0, longest = 0;
  for (const TableCell& cell : cells) {
    const float wanted = ui::text_width(ui.fonts->mono, cell.text) + gap;
    all += wanted;
    longest = std::max(longest, wanted);
  }
  // A label is as wide as it must be while a value stays beside it; else it has a row of its own.
  label_width = std::max(label_width, std::min(wanted_label, width - longest) / ui.px(1));
  if (wanted_label > ui.px(label_width)) {
    std::istringstream lines(ui::wrapped(ui.fonts->mono, label, width - gap));
    for (std::string line; std::getline(lines, line);) table_row(ui, line, {}, quiet, width / ui.px(1));
    label = {};
    label_width = 0;
  }
  const float room = width - ui.px(label_width);
  if (cells.size() == 2 && all <= room && longest > room / 2) {
    const float first = ui::text_width(ui.fonts->mono, cells[0].text) + gap;
    return table_row(ui, label, cells, quiet, label_width, (first + (room - all) / 2) / room);
  }
  if (longest * float(cells.size()) <= room) return table_row(ui, label, cells, quiet, label_width);
  for (const TableCell& cell : cells) {
    std::istringstream lines(ui::wrapped(ui.fonts->mono, cell.text, room - gap));
    for (std::string line; std::getline(lines, line); label = {})
      table_row(ui, label, {{line, cell.colour}}, quiet, label_width);
  }
}

}  // namespace warploom
