#include "viewer/ui/cards.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "viewer/ui/buttons.h"
#include "viewer/ui/icons.h"
#include "viewer/ui/text.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {
namespace {

float line_width(const UiContext& ui) { return std::max(1.0f, std::floor(ui.scale)); }

/// The cross of a card, at its upper right.
bool remove_button(UiContext& ui, std::string_view id, ImVec2 min) {
  const float size = ui.px(18);
  ImGui::SetCursorScreenPos(min);
  const Scope scope(ui, id);
  const bool clicked = ImGui::InvisibleButton("remove", {size, size}) || pressed_by_key(ui, "remove");
  help_tooltip(ui, "remove track");
  return clicked;
}
void record_remove_button(UiContext& ui, std::string_view id, ImVec2 min) {
  const Scope scope(ui, id);
  record(ui, "remove", "remove track", min, {min.x + ui.px(18), min.y + ui.px(18)});
}

}  // namespace

TrackCardResult track_card(UiContext& ui, std::string_view id, const TrackCard& card) {
  const Theme& theme = *ui.theme;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(48), padding = ui.px(12);
  const ImVec2 high{low.x + width, low.y + height};
  const float first_y = low.y + ui.px(5), second_y = low.y + ui.px(24), row = ui.px(19);

  // The cross comes first: ImGui gives the mouse to the first of two items that overlap.
  TrackCardResult result;
  const ImVec2 cross{high.x - padding - ui.px(15), first_y};
  if (card.removable) result.removed = remove_button(ui, id, cross);
  const bool cross_hovered = card.removable && ImGui::IsItemHovered();

  ImGui::SetCursorScreenPos(low);
  ImGui::PushID(id.data(), id.data() + id.size());
  result.clicked = ImGui::InvisibleButton("card", {width, height}) || pressed_by_key(ui, id);
  ImGui::PopID();
  const bool hovered = ImGui::IsItemHovered();
  record(ui, id, card.title, low, high);
  // After the card: the keyboard comes to that first.
  if (card.removable) record_remove_button(ui, id, cross);

  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 fill = card.selected ? theme.raised : hovered ? blend(theme.panel, theme.raised, 0.6f) : theme.panel;
  list->AddRectFilled(low, high, fill, ui.px(3));
  list->AddRect(low, high, card.selected ? blend(theme.line, theme.quiet, 0.45f) : theme.line, ui.px(3), 0,
                line_width(ui));
  list->AddRectFilled(low, {low.x + ui.px(3), high.y}, card.colour);

  const float title_end = high.x - padding - (card.removable ? ui.px(20) : 0);
  float subtitle_end = high.x - padding;
  if (!card.seal.empty()) {
    const ImU32 colour = role_colour(theme, card.seal_role);
    const float icon = ui.px(12),
                text_x = std::max(low.x + width * 0.4f, subtitle_end - text_width(ui.fonts->body, card.seal));
    draw_text(list, ui.fonts->body, colour, {text_x, second_y}, {subtitle_end, second_y + row}, card.seal,
              Align::right);
    draw_icon(list, role_icon(card.seal_role), {text_x - ui.px(10), second_y + row / 2 + ui.px(1)}, icon, colour);
    subtitle_end = text_x - ui.px(20);
  }
  // Parts that have no room are left to the tooltip, the last first.
  std::string_view title = card.title;
  for (auto end = title.rfind(", ");
       end != std::string_view::npos && text_width(ui.fonts->strong, title) > title_end - low.x - padding;
       end = title.rfind(", "))
    title = title.substr(0, end);
  bool elided =
      draw_text(list, ui.fonts->strong, theme.text, {low.x + padding, first_y}, {title_end, first_y + row}, title);
  elided = elided || title != card.title;
  std::string second(card.subtitle);
  while (text_width(ui.fonts->body, second) > subtitle_end - low.x - padding && !second.empty()) {
    const auto part = second.rfind(" \u00b7 ");
    second = part == std::string::npos ? std::string() : second.substr(0, part);
    elided = true;
  }
  draw_text(list, ui.fonts->body, theme.quiet, {low.x + padding, second_y}, {subtitle_end, second_y + row}, second);
  if (card.removable)
    draw_icon(list, Icon::close, {cross.x + ui.px(9), cross.y + ui.px(9)}, ui.px(12),
              cross_hovered ? theme.text
              : hovered     ? theme.quiet
                            : blend(theme.panel, theme.quiet, 0.6f));
  if ((elided || !card.help.empty()) && !cross_hovered)
    help_tooltip(ui, std::string(card.title) + "\n" + std::string(card.subtitle) +
                         (card.help.empty() ? "" : "\n" + std::string(card.help)));
  return result;
}

void hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 colour, float spacing, float thickness, bool falling) {
  // Lines x + y = c with c a multiple of the spacing, so that they do not depend on the rectangle; falling ones are
  // these, mirrored.
  const float up = falling ? -1.f : 1.f;
  if (falling) {
    std::swap(min.y, max.y);
    min.y = -min.y, max.y = -max.y;
  }
  const float step = std::max(2.0f, spacing) * 1.41421356f;
  for (auto i = static_cast<std::int64_t>(std::ceil((min.x + min.y) / step));; ++i) {
    const float c = static_cast<float>(i) * step;
    if (c >= max.x + max.y) break;
    const float x0 = std::max(min.x, c - max.y), x1 = std::min(max.x, c - min.y);
    list->AddLine({x0, up * (c - x0)}, {x1, up * (c - x1)}, colour, thickness);
  }
}

void waste_bar(UiContext& ui, const WasteBar& bar) {
  const Theme& theme = *ui.theme;
  const ImFont* mono = ui.fonts->mono;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = ui.px(18), height = ui.px(8), gap = ui.px(8);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 text_high{low.x + width, low.y + row};
  const float left = std::min(text_width(mono, bar.left), width / 4),
              right = std::min(text_width(mono, bar.right), width / 3);
  draw_text(list, mono, bar.label_colour, low, {low.x + left, text_high.y}, bar.left);
  draw_text(list, mono, theme.text, {text_high.x - right, low.y}, text_high, bar.right, Align::right);
  const bool room = text_width(mono, bar.middle) <= width - left - right - 2 * gap;
  draw_text(list, mono, theme.text, {low.x + left + gap, low.y}, {text_high.x - right - gap, text_high.y},
            room ? bar.middle : bar.less, Align::centre);
  const double share = std::isfinite(bar.useful) ? std::clamp(bar.useful, 0.0, 1.0) : 0.0;
  const ImVec2 bar_low{low.x, text_high.y}, bar_high{low.x + width, text_high.y + height};
  // What works at all stays visible, however little it is.
  const float useful = share > 0 ? std::max(ui.px(1), std::floor(width * static_cast<float>(share) + 0.5f)) : 0;
  list->AddRectFilled(bar_low, bar_high, theme.ground);
  if (useful < width) hatch(list, {bar_low.x + useful, bar_low.y}, bar_high, theme.waste, ui.px(4), line_width(ui));
  if (useful > 0) list->AddRectFilled(bar_low, {bar_low.x + useful, bar_high.y}, bar.colour);
  ImGui::Dummy({width, row + height + ui.px(2)});
}

bool progress(UiContext& ui, std::string_view id, std::string_view text, double fraction) {
  const Theme& theme = *ui.theme;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, gap = ui.px(8), button_width = ui.px(64), row = ui.px(26);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos({low.x + width - button_width, low.y});
  const bool cancelled = button(ui, id, "Cancel", Icon::none, 64);
  const bool known = fraction >= 0;
  const double share = std::clamp(fraction, 0.0, 1.0);
  const std::string percent = known ? std::to_string(static_cast<int>(share * 100)) + " %" : "…";
  const float right = width - button_width - gap, number = text_width(ui.fonts->mono, percent);
  const bool elided =
      draw_text(list, ui.fonts->body, theme.text, low, {low.x + right - number - gap, low.y + row}, text);
  draw_text(list, ui.fonts->mono, theme.text, {low.x + right - number, low.y}, {low.x + right, low.y + row}, percent,
            Align::right);
  const ImVec2 bar{low.x, low.y + row + ui.px(4)}, bar_high{low.x + width, bar.y + ui.px(4)};
  list->AddRectFilled(bar, bar_high, theme.line);
  if (known)
    list->AddRectFilled(bar, {bar.x + std::floor(width * static_cast<float>(share)), bar_high.y}, theme.accent);
  else
    hatch(list, bar, bar_high, theme.accent, ui.px(4), line_width(ui));
  ImGui::SetCursorScreenPos(low);
  ImGui::Dummy({width, bar_high.y - low.y + ui.px(2)});
  if (elided) help_tooltip(ui, text);
  return cancelled;
}

}  // namespace warploom::ui
