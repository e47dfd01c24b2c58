// Rings round the widgets that a script or a tour points at, with words beside them.
#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/text.h"

namespace warploom {

void scroll_to_marks(PanelContext& panel) {
  panel.ui.scroll_to.clear();
  if (!panel.state.hidden_marks.empty()) panel.ui.scroll_to = panel.state.hidden_marks.back();
}

namespace {

/// Beside the ring, on the side that has room: right, left, below, above. A large one has room inside, where it covers
/// nothing of its neighbours.
ImVec2 place_words(const ui::Rectangle& ring, ImVec2 size, ImVec2 window, const ui::UiContext& ui) {
  const float gap = ui.px(6);
  if (ring.width() > size.x + ui.px(24) && ring.height() > ui.px(120))
    return {ring.max.x - size.x - 2 * gap, ring.min.y + ui.px(40)};
  const float y = std::clamp((ring.min.y + ring.max.y - size.y) / 2, gap, std::max(gap, window.y - size.y - gap));
  if (ring.max.x + gap + size.x <= window.x - gap) return {ring.max.x + gap, y};
  if (ring.min.x - gap - size.x >= gap) return {ring.min.x - gap - size.x, y};
  const float x = std::clamp((ring.min.x + ring.max.x - size.x) / 2, gap, std::max(gap, window.x - size.x - gap));
  if (ring.max.y + gap + size.y <= window.y - gap) return {x, ring.max.y + gap};
  return {x, std::max(gap, ring.min.y - gap - size.y)};
}

}  // namespace

void draw_rings(PanelContext& panel) {
  const auto& ui = panel.ui;
  panel.state.hidden_marks.clear();
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const std::string front = dialog_path(panel.model);
  for (const Marked& mark : panel.model.teaching.marks) {
    // Of what lies below a dialog nothing is drawn over it.
    if (mark.path.empty() || !mark.path.starts_with(front)) continue;
    const ui::WidgetRecord widget = ui.find_whole(mark.path);
    if (widget.path.empty()) continue;
    if (!widget.visible) {
      panel.state.hidden_marks.push_back(widget.path);
      continue;
    }
    // Two pixels beside the widget, but never outside the window.
    const float out = ui.px(3), edge = ui.px(1);
    const ui::Rectangle ring{
        {std::max(widget.min.x - out, edge), std::max(widget.min.y - out, edge)},
        {std::min(widget.max.x + out, window.x - edge), std::min(widget.max.y + out, window.y - edge)}};
    list->AddRect(ring.min, ring.max, ui.theme->ground, ui.px(4), 0, ui.px(4));
    list->AddRect(ring.min, ring.max, ui.theme->accent, ui.px(4), 0, ui.px(2));
    if (mark.words.empty()) continue;
    const float pad = ui.px(8), height = ui.px(24);
    const ImVec2 size{std::min(ui::text_width(ui.fonts->body, mark.words) + 2 * pad, window.x - 2 * pad), height};
    const ImVec2 low = place_words(ring, size, window, ui), high{low.x + size.x, low.y + size.y};
    list->AddRectFilled(low, high, ui.theme->raised, ui.px(3));
    list->AddRect(low, high, ui.theme->accent, ui.px(3));
    ui::draw_text(list, ui.fonts->body, ui.theme->text, {low.x + pad, low.y}, {high.x - pad + 1, high.y}, mark.words);
  }
}

}  // namespace warploom
