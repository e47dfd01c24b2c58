#include <algorithm>

#include "viewer/panels/panes/marks.h"
#include "viewer/panels/panes/plane.h"

namespace warploom {
namespace {

/// An outline that stays visible on any ground: light on dark.
void outline(PanelContext& panel, ImDrawList* list, ImVec2 min, ImVec2 max, float thickness) {
  const auto& ui = panel.ui;
  const float least = ui.px(5);
  if (max.x - min.x < least) min.x = (min.x + max.x - least) / 2, max.x = min.x + least;
  if (max.y - min.y < least) min.y = (min.y + max.y - least) / 2, max.y = min.y + least;
  const float out = thickness;
  list->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.theme->ground, 0, 0, thickness + ui.px(3));
  list->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.theme->selection, 0, 0, thickness);
}

/// A word beside an outline, to its left where its right has no room, and below it where neither has.
void say(PanelContext& panel, ImDrawList* list, const Plane& plane, ImVec2 min, ImVec2 max, const std::string& word) {
  auto& ui = panel.ui;
  const float first = plane.area.min.x + ui.px(4),
              width = std::min(ui::text_width(ui.fonts->body, word), plane.area.width() - ui.px(20));
  ImVec2 at{max.x + ui.px(6), max.y + ui.px(2)};
  if (at.x + width + ui.px(16) > plane.area.max.x) {
    const float left = min.x - width - ui.px(18);
    at.x = left >= first ? left : std::max(first, plane.area.max.x - width - ui.px(16));
  }
  list->AddRectFilled(at, {at.x + width + ui.px(12), at.y + ui.px(20)}, ui::fade(ui.theme->raised, .95f), ui.px(3));
  ui::draw_text(list, ui.fonts->body, ui.theme->text, {at.x + ui.px(6), at.y},
                {at.x + width + ui.px(12), at.y + ui.px(20)}, word);
}

/// A dashed outline of what was picked before.
void quiet_outline(PanelContext& panel, ImDrawList* list, const Plane& plane, const Outline& mark) {
  if (plane.pixels_x() < mark.least_pixels) return;
  const float out = panel.ui.px(1.5f), least = panel.ui.px(4);
  ImVec2 min = plane.screen(mark.low[0], mark.low[1]), max = plane.screen(mark.high[0], mark.high[1]);
  if (max.x - min.x < least) min.x = (min.x + max.x - least) / 2, max.x = min.x + least;
  if (max.y - min.y < least) min.y = (min.y + max.y - least) / 2, max.y = min.y + least;
  const ImVec2 low{min.x - out, min.y - out}, high{max.x + out, max.y + out};
  const ImVec2 around[] = {low, {high.x, low.y}, high, {low.x, high.y}, low};
  const auto shown = ui::clipped(around, plane.area);  // zoomed in, a place may be far larger than its pane
  ui::draw_curve(list, shown, ui::fade(panel.ui.theme->ground, .8f), ui::Stroke::solid, panel.ui.px(3), panel.ui.scale);
  ui::draw_curve(list, shown, ui::fade(panel.ui.theme->selection, .7f), ui::Stroke::dashed, panel.ui.px(1),
                 panel.ui.scale);
}

}  // namespace

void draw_marks(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture,
                std::size_t track_index) {
  auto& ui = panel.ui;
  for (const Outline& mark : kept_marks_of(panel, picture, track_index)) quiet_outline(panel, list, plane, mark);
  for (const Outline& mark : marks_of(panel, picture, track_index)) {
    if (plane.pixels_x() < mark.least_pixels) continue;
    const ImVec2 min = plane.screen(mark.low[0], mark.low[1]);
    ImVec2 max = plane.screen(mark.high[0], mark.high[1]);
    if (mark.kind == Outline::Kind::word) {
      // Said below, without an outline.
    } else if (mark.kind == Outline::Kind::waste) {
      max = {std::max(max.x, min.x + ui.px(7)), std::max(max.y, min.y + ui.px(7))};
      // Only what is in view: zoomed in, a place may be far larger than its pane.
      const float beyond = ui.px(8);
      ui::hatch(list, {std::max(min.x, plane.area.min.x - beyond), std::max(min.y, plane.area.min.y - beyond)},
                {std::min(max.x, plane.area.max.x + beyond), std::min(max.y, plane.area.max.y + beyond)},
                ui.theme->selection, ui.px(4));
      list->AddRect(min, max, ui.theme->selection);
    } else {
      outline(panel, list, min, max, ui.px(mark.kind == Outline::Kind::block ? 1.5f : 1));
    }
    if (!mark.word.empty()) say(panel, list, plane, min, max, mark.word);
  }
  std::vector<ui::Rectangle> notes;
  for (const auto& [mark, pin] : pins_of(panel, picture, track_index))
    draw_pin(panel, list, plane.area, plane.screen((mark.low[0] + mark.high[0]) / 2, (mark.low[1] + mark.high[1]) / 2),
             pin, notes);
}

}  // namespace warploom
