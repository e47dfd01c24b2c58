#include "viewer/ui/plot/heatmap.h"

#include <algorithm>
#include <cmath>

#include "viewer/ui/cards.h"
#include "viewer/ui/text.h"

namespace warploom::ui {
namespace {

/// ImGui counts vertices of a draw call in 16 bits: at most this many cells a side become rectangles.
constexpr int most_cells = 96;

std::string describe(const Heatmap& map, int column, int row, double value) {
  return map.column_name + " " + std::to_string(column) + ", " + map.row_name + " " + std::to_string(row) + ": " +
         (std::isfinite(value) ? short_number(value) + (map.scale.unit.empty() ? "" : " " + map.scale.unit)
                               : "no data");
}

}  // namespace

void colour_bar(UiContext& ui, const Rectangle& area, const Axis& scale, const Colormap& colours) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = ui.px(12), half = ui.fonts->mono->FontSize / 2;
  constexpr int steps = 64;
  const auto y_of = [&](double share) { return area.max.y - static_cast<float>(share) * area.height(); };
  for (int i = 0; i < steps; ++i) {
    const double low = static_cast<double>(i) / steps, high = static_cast<double>(i + 1) / steps;
    const ImU32 bottom = colours.at(low), top = colours.at(high);
    list->AddRectFilledMultiColor({area.min.x, y_of(high)}, {area.min.x + width, y_of(low)}, top, top, bottom, bottom);
  }
  const int wanted = std::clamp(static_cast<int>(area.height() / ui.px(28)), 2, 8);
  float free_below = area.max.y + half + 1;  // figures never overlap
  for (const Tick& tick : ticks(scale, wanted)) {
    const float y = std::floor(y_of(position(scale, tick.value))), x = area.min.x + width;
    if (y + half > free_below) continue;
    free_below = y - half;
    list->AddRectFilled({x, y}, {x + ui.px(3), y + std::max(1.0f, std::floor(ui.scale))}, ui.theme->quiet);
    draw_text(list, ui.fonts->mono, ui.theme->quiet, {x + ui.px(6), y - half}, {area.max.x, y + half}, tick.label);
  }
}

void heatmap(UiContext& ui, std::string_view id, const Rectangle& area, const Heatmap& map) {
  record(ui, id, map.title, area.min, area.max);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float padding = ui.px(14), bar = ui.px(64), top = area.min.y + ui.px(36);
  if (!map.title.empty())
    draw_title(ui, list, {area.min.x + padding, area.min.y + ui.px(12)}, ui.theme->quiet, map.title,
               area.width() - 2 * padding);
  Rectangle inner{{area.min.x + padding, top}, {area.max.x - padding - bar - ui.px(12), area.max.y - padding}};
  const auto cells =
      static_cast<std::size_t>(std::max(0, map.columns)) * static_cast<std::size_t>(std::max(0, map.rows));
  if (!map.colours || cells == 0 || map.values.size() < cells || inner.empty()) return;
  if (map.square) {
    const float cell =
        std::min(inner.width() / static_cast<float>(map.columns), inner.height() / static_cast<float>(map.rows));
    inner.max = {inner.min.x + cell * static_cast<float>(map.columns),
                 inner.min.y + cell * static_cast<float>(map.rows)};
  }
  const auto value = [&](int column, int row) {
    return map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.columns) +
                      static_cast<std::size_t>(column)];
  };
  const int columns = std::min(map.columns, most_cells), rows = std::min(map.rows, most_cells);
  const auto edge = [](float low, float high, int i, int count) {
    return std::floor(low + (high - low) * static_cast<float>(i) / static_cast<float>(count));
  };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const ImVec2 low{edge(inner.min.x, inner.max.x, column, columns), edge(inner.min.y, inner.max.y, row, rows)};
      const ImVec2 high{edge(inner.min.x, inner.max.x, column + 1, columns),
                        edge(inner.min.y, inner.max.y, row + 1, rows)};
      const double shown = value(column * map.columns / columns, row * map.rows / rows);
      if (std::isfinite(shown))
        list->AddRectFilled(low, high, map.colours->at(position(map.scale, shown)));
      else
        hatch(list, low, high, ui.theme->waste, ui.px(4));
    }
  if (columns < map.columns || rows < map.rows) {
    const std::string words = "every " + std::to_string((map.columns + columns - 1) / columns) + ". cell";
    draw_text(list, ui.fonts->body, ui.theme->quiet, {inner.min.x, inner.max.y - ui.px(1)}, {inner.max.x, area.max.y},
              words);
  }
  const float bar_x = inner.max.x + ui.px(12);
  colour_bar(ui, {{bar_x, inner.min.y}, {bar_x + bar, inner.max.y}}, map.scale, *map.colours);

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(inner.min, inner.max)) return;
  const auto index = [](float at, float low, float high, int count) {
    return std::clamp(static_cast<int>((at - low) / (high - low) * static_cast<float>(count)), 0, count - 1);
  };
  const int column = index(mouse.x, inner.min.x, inner.max.x, map.columns),
            row = index(mouse.y, inner.min.y, inner.max.y, map.rows);
  const std::string words = describe(map, column, row, value(column, row));
  ImGui::BeginTooltip();
  ImGui::PushFont(ui.fonts->mono);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace warploom::ui
