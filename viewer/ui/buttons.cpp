#include "viewer/ui/buttons.h"

#include <algorithm>
#include <cmath>

#include "viewer/ui/text.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {
namespace {

struct Press {
  bool clicked, hovered, held;
  ImVec2 min, max;
};

Press press(UiContext& ui, std::string_view id, std::string_view label, ImVec2 size) {
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("press", size) || pressed_by_key(ui, id);
  ImGui::PopID();
  const Press result{clicked, ImGui::IsItemHovered(), ImGui::IsItemActive(), ImGui::GetItemRectMin(),
                     ImGui::GetItemRectMax()};
  record(ui, id, label, result.min, result.max);
  return result;
}

struct Look {
  ImU32 fill, hovered, line, text;
};

bool framed_button(UiContext& ui, std::string_view id, std::string_view label, Icon icon, float width,
                   const Look& look) {
  const bool sign = icon != Icon::none;
  const float padding = ui.px(10), icon_size = ui.px(12), gap = sign ? ui.px(6) : 0;
  const float content = text_width(ui.fonts->body, label) + (sign ? icon_size + gap : 0);
  const ImVec2 size{width > 0 ? ui.px(width) : content + 2 * padding, ui.px(26)};
  const Press pressed = press(ui, id, label, size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float rounding = ui.px(3), inset = std::min(padding, ui.px(4));
  list->AddRectFilled(pressed.min, pressed.max, pressed.hovered || pressed.held ? look.hovered : look.fill, rounding);
  list->AddRect(pressed.min, pressed.max, look.line, rounding, 0, std::max(1.0f, std::floor(ui.scale)));
  // Sign and words are centred together.
  const float start = std::max(pressed.min.x + inset, std::floor((pressed.min.x + pressed.max.x - content) / 2));
  const float text_x = start + (sign ? icon_size + gap : 0);
  if (sign) draw_icon(list, icon, {start + icon_size / 2, (pressed.min.y + pressed.max.y) / 2}, icon_size, look.text);
  const ImVec2 end{pressed.max.x - inset, pressed.max.y};
  if (draw_text(list, ui.fonts->body, look.text, {text_x, pressed.min.y}, end, label)) help_tooltip(ui, label);
  return pressed.clicked;
}

}  // namespace

bool button(UiContext& ui, std::string_view id, std::string_view label, Icon icon, float width) {
  const Theme& theme = *ui.theme;
  return framed_button(ui, id, label, icon, width,
                       {theme.raised, blend(theme.raised, theme.text, 0.08f), theme.line, theme.text});
}

bool primary_button(UiContext& ui, std::string_view id, std::string_view label, Icon icon, float width) {
  const Theme& theme = *ui.theme;
  return framed_button(ui, id, label, icon, width,
                       {blend(theme.panel, theme.accent, 0.26f), blend(theme.panel, theme.accent, 0.36f),
                        blend(theme.panel, theme.accent, 0.6f), theme.text});
}

bool icon_button(UiContext& ui, std::string_view id, Icon icon, std::string_view label) {
  const Theme& theme = *ui.theme;
  const Press pressed = press(ui, id, label, {ui.px(26), ui.px(26)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 fill = pressed.hovered || pressed.held ? blend(theme.raised, theme.text, 0.08f) : theme.raised;
  list->AddRectFilled(pressed.min, pressed.max, fill, ui.px(3));
  list->AddRect(pressed.min, pressed.max, theme.line, ui.px(3), 0, std::max(1.0f, std::floor(ui.scale)));
  draw_icon(list, icon, {(pressed.min.x + pressed.max.x) / 2, (pressed.min.y + pressed.max.y) / 2}, ui.px(14),
            theme.text);
  help_tooltip(ui, label);
  return pressed.clicked;
}

bool link_button(UiContext& ui, std::string_view id, std::string_view label, Icon icon, float width) {
  const bool sign = icon != Icon::none;
  const float icon_size = ui.px(10), gap = ui.px(6), inset = width > 0 ? gap : 0,
              offset = inset + (sign ? icon_size + gap : 0);
  if (width <= 0) width = std::min(text_width(ui.fonts->body, label) + offset, ImGui::GetContentRegionAvail().x);
  const Press pressed = press(ui, id, label, {std::max(width, ui.px(16)), ui.px(22)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = pressed.hovered ? ui.theme->text : ui.theme->quiet;
  if (sign)
    draw_icon(list, icon, {pressed.min.x + icon_size / 2, (pressed.min.y + pressed.max.y) / 2}, icon_size, colour);
  const bool elided =
      draw_text(list, ui.fonts->body, colour, {pressed.min.x + offset, pressed.min.y}, pressed.max, label);
  if (elided) help_tooltip(ui, label);
  return pressed.clicked;
}

void fold(UiContext& ui, std::string_view id, std::string_view label, bool& open) {
  // The sign is the one of lists: down when open, a cross of two lines to add when not.
  if (link_button(ui, id, label, open ? Icon::down : Icon::add)) open = !open;
}

namespace {
constexpr float tab_padding = 14;
}
float tab_width(const UiContext& ui, std::string_view label) {
  return text_width(ui.fonts->body, label) + 2 * ui.px(tab_padding);
}

bool tab(UiContext& ui, std::string_view id, std::string_view label, bool selected, float height) {
  const float padding = ui.px(tab_padding);
  const Press pressed = press(ui, id, label, {tab_width(ui, label), ui.px(height)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = selected || pressed.hovered ? ui.theme->text : ui.theme->quiet;
  draw_text(list, ui.fonts->body, colour, {pressed.min.x + padding, pressed.min.y}, pressed.max, label);
  if (selected) list->AddRectFilled({pressed.min.x, pressed.max.y - ui.px(2)}, pressed.max, ui.theme->accent);
  return pressed.clicked;
}

float badge_width(const UiContext& ui, std::string_view text) {
  return text_width(ui.fonts->body, text) + ui.px(6 + 10 + 5 + 7);
}

void badge(UiContext& ui, std::string_view text, Role role, std::string_view tooltip) {
  const float icon = ui.px(10), wanted = badge_width(ui, text), room = ImGui::GetContentRegionAvail().x;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + std::max(ui.px(24), std::min(wanted, room)), min.y + ui.px(20)};
  const ImU32 colour = role_colour(*ui.theme, role), text_colour = role == Role::neutral ? ui.theme->quiet : colour;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect(min, max, fade(colour, 0.45f), ui.px(3), 0, std::max(1.0f, std::floor(ui.scale)));
  draw_icon(list, role_icon(role), {min.x + ui.px(6) + icon / 2, (min.y + max.y) / 2}, icon, colour);
  const bool elided =
      draw_text(list, ui.fonts->body, text_colour, {min.x + ui.px(21), min.y}, {max.x - ui.px(6), max.y}, text);
  ImGui::Dummy({max.x - min.x, max.y - min.y});
  help_tooltip(ui, !tooltip.empty() ? tooltip : elided ? text : std::string_view());
}

}  // namespace warploom::ui
