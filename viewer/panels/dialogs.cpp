#include <algorithm>
#include <utility>

#include "viewer/model/commands.h"
#include "viewer/panels/dialogs.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {

ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height, float least,
                           bool dims) {
  auto& ui = panel.ui;
  // Over the pictures alone, as wide as they are: words of the panels beside them are not cut in half. Where they are
  // too narrow for it, it is as wide as it must be.
  const ui::Rectangle& pictures = panel.state.centre;
  const float edge = ui.px(16);
  width = std::min(ui.px(width), std::max(pictures.width() - ui.px(24), std::min(ui.px(least), window.x - 2 * edge)));
  height = std::min(ui.px(height), std::max(pictures.height(), window.y / 2) - ui.px(24));
  const auto centred = [](float low, float high, float size, float first, float last) {
    return std::floor(std::max(first, std::min((low + high - size) / 2, last - size)));
  };
  const ImVec2 low{centred(pictures.min.x, pictures.max.x, width, edge, window.x - edge),
                   centred(pictures.min.y, pictures.max.y, height, ui.px(12), window.y - ui.px(12))};
  const ui::Rectangle area{low, {low.x + width, low.y + height}};
  begin_panel(panel, name, area, ui.theme->panel, 20, 8, PanelKind::dialog);
  panel.state.dialog = {area.min, area.max};
  if (!dims) return area;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 veil = ui::fade(ui.theme->ground, .6f);
  list->PushClipRectFullScreen();
  list->AddRectFilled({0, 0}, {window.x, area.min.y}, veil);
  list->AddRectFilled({0, area.max.y}, window, veil);
  list->AddRectFilled({0, area.min.y}, {area.min.x, area.max.y}, veil);
  list->AddRectFilled({area.max.x, area.min.y}, {window.x, area.max.y}, veil);
  list->PopClipRect();
  return area;
}

namespace {

/// Asks for the words of a pin on what is picked; no words remove the pin.
void pin_prompt(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "pin");
  begin_dialog(panel, "pin", window, 520, 132);
  ui::section_title(ui, "Pin a note");
  const auto at = std::ranges::find(model.view.pins, model.picked, &Pin::at);
  if (!state.pin_focused) {
    ImGui::SetKeyboardFocusHere();
    state.pin_text = at == model.view.pins.end() ? "" : at->words;
  }
  state.pin_focused = true;
  ui::text(ui, "words", "Words", state.pin_text, "without words there is no pin");
  const bool empty = (ui.edit.id ? ui.edit.text : state.pin_text).empty();
  bool go = ui::primary_button(ui, "go", empty && at != model.view.pins.end() ? "Take off" : "Pin");
  ImGui::SameLine();
  if (ui::button(ui, "close", "Cancel")) model.pin_open = false;
  go = go || (ui.walk.dialog_has_keys() && ui::enter_pressed());
  if (go && model.pin_open) {
    if (at != model.view.pins.end()) model.view.pins.erase(at);
    if (!state.pin_text.empty() && !model.picked.empty()) model.view.pins.push_back({model.picked, state.pin_text});
    model.pin_open = false;
  }
  ImGui::End();
}

constexpr float around_notice = 8;

float notice_width(const ui::UiContext& ui, float strip) { return std::min(strip - ui.px(24), ui.px(640)); }

std::string notice_words(const PanelContext& panel, float strip) {
  const auto& ui = panel.ui;
  return ui::wrapped(ui.fonts->body, panel.model.notice, std::max(ui.px(80), notice_width(ui, strip) - ui.px(96)));
}

/// In a strip that nothing else is drawn in; errors are framed, and stay until they are closed (Model::tell).
void notice(PanelContext& panel, const ui::Rectangle& strip) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  if (model.notice.empty() || strip.empty()) return;  // one that was told in this frame has its strip in the next
  const ui::Scope scope(ui, "notice");
  const std::string words = notice_words(panel, strip.width());
  const bool offers = !model.offer.words.empty();
  const float width = notice_width(ui, strip.width()), left = std::floor((strip.min.x + strip.max.x - width) / 2);
  const ui::Rectangle area{{left, strip.min.y + ui.px(around_notice)},
                           {left + width, strip.max.y - ui.px(around_notice)}};
  ImGui::PushStyleColor(ImGuiCol_Border, model.notice_is_error ? ui.theme->bad : ui.theme->line);
  begin_panel(panel, "notice", area, ui.theme->raised, 12, 9, PanelKind::dialog);
  ImGui::PopStyleColor();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ui::draw_icon(list, model.notice_is_error ? ui::Icon::warning : ui::Icon::dot,
                {area.min.x + ui.px(22), area.min.y + ui.px(22)}, ui.px(14),
                model.notice_is_error ? ui.theme->bad : ui.theme->accent);
  ImGui::SetCursorScreenPos({area.min.x + ui.px(40), area.min.y + ui.px(13)});
  ImGui::PushFont(ui.fonts->body);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->text);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (offers) {
    ImGui::SetCursorScreenPos({area.min.x + ui.px(40), area.max.y - ui.px(36)});
    if (ui::button(ui, "accept", model.offer.words))
      model.guarded([&all = panel.model] { std::exchange(all.offer, {}).accept(); });
  }
  ImGui::SetCursorScreenPos({area.max.x - ui.px(36), area.min.y + ui.px(9)});
  if (ui::icon_button(ui, "close", ui::Icon::close, "Close (Esc)")) {
    model.tell("");
    model.runner().clear_error();
  }
  ImGui::End();
}

}  // namespace

float notice_height(const PanelContext& panel, float width) {
  const auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  if (model.notice.empty() || plot_captured(model)) return 0;
  const std::string words = notice_words(panel, width);
  return ui.px(model.offer.words.empty() ? 44 : 78) + ui.px(2 * around_notice) +
         ui.px(16) * static_cast<float>(std::ranges::count(words, '\n'));
}

std::string dialog_path(const Model& model) {
  return !model.path_prompt.empty()  ? "path/"
         : model.palette_open        ? "palette/"
         : model.teaching.tours_open ? "tours/"
         : model.pin_open            ? "pin/"
         : model.glossary_open       ? "glossary/"
         : model.help_open           ? "help/"
         : model.plot_open >= 0      ? "plot/"
                                     : "";
}

void dialogs(PanelContext& panel, ImVec2 window, const ui::Rectangle& strip) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  state.figure_area = {};
  state.pin_focused &= model.pin_open;
  state.palette.open &= model.palette_open;
  state.help.open &= model.help_open;
  state.glossary.open &= model.glossary_open;
  state.prompt_focused &= !model.path_prompt.empty();
  const std::string front = dialog_path(model);
  if (!plot_captured(model)) notice(panel, strip);
  if (model.plot_open >= 0) large_plot(panel, window);
  if (model.help_open) help(panel, window);
  if (model.glossary_open) glossary_window(panel, window);
  if (model.pin_open) pin_prompt(panel, window);
  if (model.teaching.tours_open) tours_window(panel, window);
  if (model.palette_open) palette(panel, window);
  if (!model.path_prompt.empty()) file_dialog(panel, window);
  // A click beside what only lists closes it.
  const bool beside =
      front == ui.walk.within && ImGui::IsMouseClicked(0) &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_AnyWindow | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  for (const auto& [path, open] : {std::pair{"palette/", &model.palette_open},
                                   {"glossary/", &model.glossary_open},
                                   {"help/", &model.help_open},
                                   {"tours/", &model.teaching.tours_open}})
    if (beside && front == path) *open = false;
}

}  // namespace warploom
