#include "viewer/ui/splitter.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace warploom::ui {
namespace {

constexpr ImGuiWindowFlags overlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

void begin_overlay(const char* name, ImVec2 min, ImVec2 max, ImGuiWindowFlags more) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name, nullptr, overlay | more);
  ImGui::PopStyleVar(2);
}

/// The lines on every edge between two parts, those that cannot be dragged too.
void draw_lines(const UiContext& ui, const Arrangement& parts) {
  begin_overlay("lines", {0, 0}, {parts.top.max.x, parts.status.max.y}, ImGuiWindowFlags_NoInputs);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = std::max(1.0f, std::floor(ui.scale));
  const auto across = [&](const Rectangle& part, float y) {
    if (!part.empty()) list->AddRectFilled({part.min.x, y}, {part.max.x, y + width}, ui.theme->line);
  };
  const auto down = [&](const Rectangle& part, float x) {
    if (!part.empty()) list->AddRectFilled({x, part.min.y}, {x + width, part.max.y}, ui.theme->line);
  };
  across(parts.top, parts.top.max.y - width);
  across(parts.status, parts.status.min.y);
  across(parts.head, parts.head.max.y - width);
  across(parts.plots, parts.plots.min.y);
  down(parts.left, parts.left.max.x);
  down(parts.editor, parts.editor.max.x);
  down(parts.right, parts.right.min.x);
  for (std::size_t track = 0; track < static_cast<std::size_t>(parts.tracks); ++track) {
    const Rectangle &data = parts.data[track], &grid = parts.grid[track];
    across(grid, grid.min.y);
    if (data.min.y > parts.centre.min.y) across(data, data.min.y);
    if (data.min.x > parts.centre.min.x) down(data, data.min.x), down(grid, grid.min.x);
  }
  ImGui::End();
}

enum class SplitAxis { horizontal, vertical };  ///< which way the handle moves

/// A line that can be dragged across `edge`, a rectangle without width or height. Returns by how many pixels the mouse
/// asks it to move.
float splitter(UiContext& ui, std::string_view id, SplitAxis axis, const Rectangle& edge) {
  const bool horizontal = axis == SplitAxis::horizontal;
  const float grip = ui.px(3), line = std::max(1.0f, std::floor(ui.scale));
  const ImVec2 low{edge.min.x - (horizontal ? grip : 0), edge.min.y - (horizontal ? 0 : grip)};
  const ImVec2 high{edge.max.x + (horizontal ? grip : 0), edge.max.y + (horizontal ? 0 : grip)};
  if (high.x <= low.x || high.y <= low.y) return 0;
  begin_overlay(("splitter/" + std::string(id)).c_str(), low, high, 0);
  ImGui::InvisibleButton("grip", {high.x - low.x, high.y - low.y});
  const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
  record(ui, id, "splitter", low, high, false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from{std::floor(edge.min.x), std::floor(edge.min.y)};
  const ImVec2 to = horizontal ? ImVec2{from.x + line, edge.max.y} : ImVec2{edge.max.x, from.y + line};
  if (hovered || held) list->AddRectFilled(from, to, held ? ui.theme->accent : ui.theme->quiet);
  if (hovered || held) ImGui::SetMouseCursor(horizontal ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  ImGui::End();
  if (!held) return 0;
  // To where the mouse is, not by how far it went: past an end it has to come back before the edge follows.
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return horizontal ? std::round(mouse.x - edge.min.x) : std::round(mouse.y - edge.min.y);
}

}  // namespace

void no_splitters() {
  begin_overlay("lines", {0, 0}, {1, 1}, ImGuiWindowFlags_NoInputs);
  ImGui::End();
}

bool splitters(UiContext& ui, Layout& layout, const Arrangement& parts) {
  const Layout before = layout;
  draw_lines(ui, parts);
  const Scope scope(ui, "splitters");
  const Rectangle& centre = parts.centre;
  const float window = parts.top.max.x, least_centre = std::max(ui.px(240), window * 0.42f);
  const auto design = [&](float pixels) { return std::round(pixels / ui.scale); };
  // `size` is what lies beside the edge: `extent` pixels, and `by` more for each that the edge moves.
  const auto drag = [&](const char* id, SplitAxis axis, ImVec2 from, ImVec2 to, float& size, float extent, float by,
                        float least, float most) {
    if (const float move = splitter(ui, id, axis, {from, to}); move != 0)
      size = std::clamp(design(extent + by * move), least, std::max(least, design(most)));
  };
  if (!parts.left.empty())
    drag("left", SplitAxis::horizontal, {parts.left.max.x, centre.min.y}, {parts.left.max.x, centre.max.y},
         layout.left_width, parts.left.width(), 1, 200, window - parts.right.width() - least_centre);
  if (!parts.editor.empty())
    drag("editor", SplitAxis::horizontal, {parts.editor.max.x, parts.editor.min.y}, parts.editor.max,
         layout.editor_width, parts.editor.width(), 1, 380,
         window - parts.left.width() - parts.right.width() - ui.px(300));
  if (!parts.right.empty())
    drag("right", SplitAxis::horizontal, {centre.max.x, centre.min.y}, centre.max, layout.right_width,
         parts.right.width(), -1, 232, window - parts.left.width() - least_centre);
  const float most = centre.height() * 0.55f;
  const auto across = [&](const char* id, const Rectangle& below, float& size, float bands, float least, float room) {
    drag(id, SplitAxis::vertical, {centre.min.x, below.min.y}, {centre.max.x, below.min.y}, size,
         bands * below.height(), -bands, least, room);
  };
  if (!parts.plots.empty()) across("plots", parts.plots, layout.plots_height, 1, 104, most - ui.px(96));
  // One edge for all tracks in a row. Two by two, the upper row's edge serves both, and its grids are half as high.
  const Rectangle &grid = parts.grid[0], &last = parts.grid[static_cast<std::size_t>(parts.tracks - 1)];
  if (!grid.empty())
    across("grid", grid, layout.grid_height, grid.min.y == last.min.y ? 1.0f : 2.0f, 96,
           centre.height() * .65f - parts.plots.height());
  return !(layout == before);
}

}  // namespace warploom::ui
