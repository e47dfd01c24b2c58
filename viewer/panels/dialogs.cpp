#include <fmt/format.h>

#include <algorithm>

#include "viewer/commands.h"
#include "viewer/panels/panels.h"
#include "viewer/paths.h"
#include "viewer/scene_text.h"

namespace warploom {

namespace {

/// A raised window in the middle of the upper half, over everything.
ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height) {
  auto& ui = panel.ui;
  width = std::min(ui.px(width), window.x - ui.px(32));
  height = std::min(ui.px(height), window.y - ui.px(64));
  const ui::Rectangle area{{(window.x - width) / 2, ui.px(56)}, {(window.x + width) / 2, ui.px(56) + height}};
  ImGui::SetNextWindowFocus();
  begin_panel(panel, name, area, ui.theme->panel, 20, 8, true);
  ImGui::GetWindowDrawList()->AddRect(area.min, area.max, ui.theme->line, ui.px(4));
  return area;
}

void help(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const ui::Scope scope(ui, "help");
  std::size_t rows = 0;
  for (const auto& command : all_commands()) rows += !command.name.starts_with("map_");
  begin_dialog(panel, "help", window, 460, 26.f * float(rows + 4) + 40);
  ui::section_title(ui, "Keys");
  for (const auto& command : all_commands())
    if (!command.name.starts_with("map_")) ui::key_value(ui, command.title, key_text(command));
  ui::key_value(ui, "Map of the active lane", "1 \u2026 9");
  ui::key_value(ui, "Zoom, pan, everything", "wheel, drag, double-click");
  if (ui::button(ui, "close", "Close")) model.help_open = false;
  ImGui::End();
}

void palette(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const ui::Scope scope(ui, "palette");
  begin_dialog(panel, "palette", window, 460, 560);
  ui::section_title(ui, "Commands");
  ui::text(ui, "filter", "Filter", state.palette_text, "all");
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  };
  for (const auto& command : all_commands()) {
    if (lower(command.title + " " + command.name).find(lower(state.palette_text)) == std::string::npos) continue;
    const std::string key = key_text(command);
    if (ui::link_button(ui, command.name, key.empty() ? command.title : command.title + "   " + key)) {
      model.palette_open = false;
      command.effect(model);
    }
  }
  ImGui::End();
}

void path_prompt(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  const ui::Scope scope(ui, "path");
  const bool opening = model.path_prompt == "open";
  begin_dialog(panel, "path", window, 520, 132);
  ui::section_title(ui, opening ? "Open a scene" : "Save the scene");
  ui::text(ui, "file", "File", state.path_text, opening ? "scene.toml or a captured .png" : "scene.toml");
  const bool go = ui::primary_button(ui, "go", opening ? "Open" : "Save");
  ImGui::SameLine();
  if (ui::button(ui, "close", "Cancel")) model.path_prompt.clear();
  if (go && !state.path_text.empty()) {
    try {
      if (opening) {
        const auto loaded = read_scene_file(model, state.path_text);
        model.rebuild(loaded.steps);
        model.tell(loaded.warning.empty() ? "opened " + state.path_text : loaded.warning, !loaded.warning.empty());
      } else {
        write_atomically(state.path_text, scene_text(model));
        model.tell("saved " + state.path_text);
      }
      model.path_prompt.clear();
    } catch (const Error& error) {
      model.tell(error.what(), true);
    }
  }
  ImGui::End();
}

/// One line at the foot of the pictures; errors are framed and stay until they are closed.
void notice(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants] = panel;
  if (model.notice.empty()) return;
  const ui::Scope scope(ui, "notice");
  const float width = std::min(window.x - ui.px(40), ui.px(640));
  const float text = ui::text_width(ui.fonts->body, model.notice);
  const int lines = 1 + static_cast<int>(text / (width - ui.px(120)));
  const float height = ui.px(44) + ui.px(16) * static_cast<float>(lines - 1);
  const ui::Rectangle area{{(window.x - width) / 2, window.y - ui.px(44) - height}, {(window.x + width) / 2, window.y - ui.px(44)}};
  ImGui::SetNextWindowFocus();
  begin_panel(panel, "notice", area, ui.theme->raised, 12, 9);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect(area.min, area.max, model.notice_is_error ? ui.theme->bad : ui.theme->line, ui.px(4));
  ui::draw_icon(list, model.notice_is_error ? ui::Icon::warning : ui::Icon::check, {area.min.x + ui.px(22), area.min.y + ui.px(22)}, ui.px(14), model.notice_is_error ? ui.theme->bad : ui.theme->good);
  ImGui::SetCursorScreenPos({area.min.x + ui.px(40), area.min.y + ui.px(13)});
  ImGui::PushFont(ui.fonts->body);
  ImGui::PushTextWrapPos(area.width() - ui.px(48));
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->text);
  ImGui::TextUnformatted(model.notice.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::SetCursorScreenPos({area.max.x - ui.px(36), area.min.y + ui.px(9)});
  if (ui::icon_button(ui, "close", ui::Icon::close, "Close (Esc)")) {
    model.tell("");
    model.runner().clear_error();
  }
  ImGui::End();
}

}  // namespace

void dialogs(PanelContext& panel, ImVec2 window) {
  notice(panel, window);
  if (panel.model.help_open) help(panel, window);
  if (panel.model.palette_open) palette(panel, window);
  if (!panel.model.path_prompt.empty()) path_prompt(panel, window);
}

}  // namespace warploom
