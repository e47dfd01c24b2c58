// What planes have that values run through: words of their own, a light, an input that is drawn by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "viewer/panels/panes/marks.h"

namespace warploom {

void draw_pulse(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture) {
  const double share = panel.model.pulse;
  if (share >= 1 || !picture.info().flows) return;
  const ImVec2 low = plane.screen(0, 0), high = plane.screen(plane.width, plane.height);
  const float half = panel.ui.px(36), x = low.x + static_cast<float>(share) * (high.x - low.x);
  const float bright = .22f * static_cast<float>(std::sin(std::numbers::pi * share));
  const ImU32 light = ui::fade(panel.ui.theme->text, bright), none = ui::fade(panel.ui.theme->text, 0);
  list->AddRectFilledMultiColor({x - half, low.y}, {x, high.y}, none, light, light, none);
  list->AddRectFilledMultiColor({x, low.y}, {x + half, high.y}, light, none, none, light);
}

void draw_labels(PanelContext& panel, ImDrawList* list, const Plane& plane, const Picture& picture,
                 const PictureRequest& request) {
  auto& ui = panel.ui;
  const auto labels = picture.labels(request);
  const auto room = [&](const PictureLabel& label) {
    return plane.screen(label.high[0], label.high[1]).x - plane.screen(label.low[0], label.low[1]).x - ui.px(6);
  };
  // Each row has the longest words that all of its labels have room for; where none has, every k-th is written.
  struct LabelRow {
    std::size_t length = 0, every = 1, count = 0, labels = 0;
    bool thins() const { return labels > 2; }
  };
  std::map<int, LabelRow> rows;
  for (const PictureLabel& label : labels) {
    LabelRow& row = rows[label.row];
    std::size_t length = 0;
    while (length + 1 < label.words.size() && ui::text_width(ui.fonts->mono, label.words[length]) > room(label))
      ++length;
    row.length = std::max(row.length, length);
    const float wide = ui::text_width(ui.fonts->mono, label.words.back()) + ui.px(6),
                own = std::max(1.f, room(label) + ui.px(6));
    row.every = std::max(row.every, static_cast<std::size_t>(std::ceil(wide / own)));
    ++row.labels;
  }
  for (const PictureLabel& label : labels) {
    LabelRow& row = rows[label.row];
    const bool skipped = row.thins() && row.count++ % row.every != 0;
    ImVec2 min = plane.screen(label.low[0], label.low[1]), max = plane.screen(label.high[0], label.high[1]);
    if (label.line != 0) {
      min.y += ui.px(label.line > 0 ? 2.f : -2.f) + ui.px(14) * static_cast<float>(label.line - (label.line > 0));
      max.y = min.y + ui.px(14);
    }
    if (skipped || max.y - min.y < ui.px(12) || max.x < plane.area.min.x || min.x > plane.area.max.x) continue;
    const std::string& words = label.words[std::min(row.length, label.words.size() - 1)];
    const float wide = ui::text_width(ui.fonts->mono, words);
    if (wide > room(label) && !row.thins()) continue;
    float middle = label.at_left ? min.x + wide / 2 + ui.px(3) : (min.x + max.x) / 2;
    // Words at the edge of a picture that fills its pane stay whole.
    const float least = plane.area.min.x + wide / 2 + ui.px(2), most = plane.area.max.x - wide / 2 - ui.px(2);
    if (middle >= plane.area.min.x && middle <= plane.area.max.x && least <= most)
      middle = std::clamp(middle, least, most);
    const float half = label.at_left ? wide / 2 + 1 : std::max((max.x - min.x) / 2, wide / 2 + 1);
    min.x = middle - half;
    max.x = middle + half;
    // Words lie over values of any colour.
    const float y = (min.y + max.y) / 2;
    list->AddRectFilled({middle - wide / 2 - ui.px(2), y - ui.px(7)}, {middle + wide / 2 + ui.px(2), y + ui.px(7)},
                        ui::fade(ui.theme->ground, .7f), ui.px(2));
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, min, max, words, ui::Align::centre);
  }
}

void draw_input(PanelContext& panel, const Plane& plane, const Picture& picture, const PictureRequest& request,
                bool active) {
  auto& stroke = panel.state.drawn;
  auto& line = panel.state.drawn_line;
  const auto* input = panel.model.scene().facet<DrawnInput>();
  if (!active) {
    if (!stroke.empty() && input) panel.model.set(input->drawn(stroke, picture.drawable_input()));
    stroke.clear();
    line.clear();
    return;
  }
  const ImVec2 mouse = mouse_place();
  auto at = picture.drawn(request, mouse.x - plane.area.min.x, mouse.y - plane.area.min.y);
  if (!at) return;
  if (panel.model.tool == Model::Tool::erase) (*at)[1] = 0;
  stroke[(*at)[0]] = (*at)[1];
  line.push_back(mouse);
}

void draw_stroke(PanelContext& panel, ImDrawList* list) {
  const auto& line = panel.state.drawn_line;
  if (line.size() > 1)
    list->AddPolyline(line.data(), static_cast<int>(line.size()), panel.ui.theme->selection, 0, panel.ui.px(2));
}

}  // namespace warploom
