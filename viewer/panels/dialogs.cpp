#include <algorithm>
#include <utility>

#include "viewer/model/commands.h"
#include "viewer/panels/dialogs.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {

ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height) {
  auto& ui = panel.ui;
  width = std::min(ui.px(width), window.x - ui.px(32));
  height = std::min(ui.px(height), window.y - ui.px(64));
  const ui::Rectangle area{{(window.x - width) / 2, ui.px(56)}, {(window.x + width) / 2, ui.px(56) + height}};
  begin_panel(panel, name, area, ui.theme->panel, 20, 8, PanelKind::dialog);
  return area;
}

namespace {

void help_line(ui::UiContext& ui, ImVec2 at, float width, const std::string& title, const std::string& key) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float key_width = ui::text_width(ui.fonts->mono, key);
  ui::draw_text(list, ui.fonts->body, ui.theme->text, at, {at.x + width - key_width - ui.px(12), at.y + ui.px(24)},
                title);
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, at, {at.x + width, at.y + ui.px(24)}, key, ui::Align::right);
}

void help(PanelContext& panel, ImVec2 window) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "help");
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& command : all_commands())
    if (!command.name.starts_with("map_") && applies(panel.model, command))
      lines.emplace_back(command.title, key_text(command));
  lines.emplace_back("Map of the active track", "1 \u2026 9");
  lines.emplace_back("Zoom, pan, show everything", "wheel, drag, double-click");
  const std::size_t half = (lines.size() + 1) / 2;
  begin_dialog(panel, "help", window, 868, 24.f * float(half) + 108);
  ui::section_title(ui, "Keys");
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = (width - ui.px(32)) / 2;
  for (std::size_t i = 0; i < lines.size(); ++i)
    help_line(ui, {corner.x + (i < half ? 0 : column + ui.px(32)), corner.y + ui.px(24) * static_cast<float>(i % half)},
              column, lines[i].first, lines[i].second);
  ImGui::Dummy({width, ui.px(24) * static_cast<float>(half) + ui.px(4)});
  if (ui::button(ui, "close", "Close")) panel.model.help_open = false;
  ImGui::End();
}

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
  ui::text(ui, "words", "Words", state.pin_text, "none: removes the pin");
  bool go = ui::primary_button(ui, "go", state.pin_text.empty() ? "Take off" : "Pin");
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

/// One line at the foot of the pictures, at `bottom`; errors are framed, and stay until they are closed (Model::tell).
void notice(PanelContext& panel, ImVec2 window, float bottom) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  if (model.notice.empty()) return;
  const ui::Scope scope(ui, "notice");
  const float width = std::min(window.x - ui.px(40), ui.px(640));
  const std::string words = ui::wrapped(ui.fonts->body, model.notice, width - ui.px(96));
  const auto lines = 1 + std::count(words.begin(), words.end(), '\n');
  const bool offers = !model.offer.words.empty();
  const float height = ui.px(offers ? 78 : 44) + ui.px(16) * static_cast<float>(lines - 1);
  const ui::Rectangle area{{(window.x - width) / 2, bottom - height}, {(window.x + width) / 2, bottom}};
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
    if (ui::button(ui, "accept", model.offer.words)) std::exchange(model.offer, {}).accept();
  }
  ImGui::SetCursorScreenPos({area.max.x - ui.px(36), area.min.y + ui.px(9)});
  if (ui::icon_button(ui, "close", ui::Icon::close, "Close (Esc)")) {
    model.tell("");
    model.runner().clear_error();
  }
  ImGui::End();
}

}  // namespace

std::string dialog_path(const Model& model) {
  return !model.path_prompt.empty() ? "path/"
         : model.palette_open       ? "palette/"
         : model.pin_open           ? "pin/"
         : model.help_open          ? "help/"
         : model.plot_open >= 0     ? "plot/"
                                    : "";
}

void dialogs(PanelContext& panel, ImVec2 window, float bottom) {
  panel.state.figure_area = {};
  panel.state.pin_focused &= panel.model.pin_open;
  panel.state.palette_focused &= panel.model.palette_open;
  panel.state.prompt_focused &= !panel.model.path_prompt.empty();
  if (!plot_captured(panel.model)) notice(panel, window, bottom);
  if (panel.model.plot_open >= 0) large_plot(panel, window);
  if (panel.model.help_open) help(panel, window);
  if (panel.model.pin_open) pin_prompt(panel, window);
  if (panel.model.palette_open) palette(panel, window);
  if (!panel.model.path_prompt.empty()) file_dialog(panel, window);
}

}  // namespace warploom
