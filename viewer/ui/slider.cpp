#include "viewer/ui/slider.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/ui/fields.h"
#include "viewer/ui/text.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {

bool slider(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
            std::string_view shown, std::string_view tooltip, bool logarithmic) {
  const float width = row(ui, label, tooltip), height = ui.px(22), knob = ui.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(std::string(id).c_str(), {width, height});
  record(ui, id, slider_label, at, {at.x + width, at.y + height});
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  // The number has the right end, the track what is left.
  const float text = std::max(ui.px(44), text_width(ui.fonts->mono, shown) + ui.px(8));
  const float left = at.x + knob, right = std::max(left + ui.px(16), at.x + width - text - knob);
  const auto share_of = [&](double v) {
    return logarithmic ? std::log(v / min) / std::log(max / min) : (v - min) / (max - min);
  };
  bool changed = false;
  if (held && max > min) {
    const double share = std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.f, 1.f);
    const double wanted = logarithmic ? min * std::pow(max / min, share) : min + (max - min) * share;
    changed = wanted != value;
    value = wanted;
  }
  if (const int by = stepped_by_key(ui, id); by && max > min) {
    const double share = std::clamp(share_of(value) + .05 * by, 0., 1.);
    value = logarithmic ? min * std::pow(max / min, share) : min + (max - min) * share;
    changed = true;
  }
  const float share = max > min ? static_cast<float>(std::clamp(share_of(value), 0., 1.)) : 0;
  const float middle = std::floor(at.y + height / 2), x = left + share * (right - left);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float half = ui.px(1.5f);
  list->AddRectFilled({left, middle - half}, {right, middle + half}, ui.theme->line, half);
  list->AddRectFilled({left, middle - half}, {x, middle + half}, ui.theme->accent, half);
  list->AddCircleFilled({x, middle}, held || hovered ? knob : knob - ui.px(1),
                        held ? ui.theme->accent : ui.theme->text);
  draw_text(list, ui.fonts->mono, ui.theme->text, {right + knob, at.y}, {at.x + width, at.y + height}, shown,
            Align::right);
  if (!tooltip.empty()) help_tooltip(ui, tooltip);
  return changed;
}

}  // namespace warploom::ui
