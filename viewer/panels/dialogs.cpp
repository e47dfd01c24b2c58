#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "viewer/app/paths.h"
#include "viewer/model/commands.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/palette.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/spelled.h"

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

/// A line of the help: what it does, and its key.
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
  begin_dialog(panel, "help", window, 760, 24.f * float(half) + 108);
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

bool is_picture(const std::string& path) {
  return path.size() > 4 && lower_case(path.substr(path.size() - 4)) == ".png";
}

void path_prompt(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "path");
  const bool opening = model.path_prompt == "open";
  begin_dialog(panel, "path", window, 520, 132);
  ui::section_title(ui, opening ? "Open a scene" : "Save the scene");
  if (!state.prompt_focused) {
    ImGui::SetKeyboardFocusHere();
    state.may_replace.clear();
    // A captured picture is opened, not written over by a text.
    if (!opening && is_picture(state.path_text))
      state.path_text = std::filesystem::path(state.path_text).replace_extension(".toml").string();
  }
  state.prompt_focused = true;
  ui::text(ui, "file", "File", state.path_text, opening ? "scene.toml or .png" : "scene.toml");
  const bool replaces = !opening && !state.path_text.empty() && state.may_replace == state.path_text;
  bool go = ui::primary_button(ui, "go", opening ? "Open" : replaces ? "Replace" : "Save");
  ImGui::SameLine();
  if (ui::button(ui, "close", "Cancel")) model.path_prompt.clear();
  go = go || ui::enter_pressed();
  if (go && !opening && is_picture(state.path_text)) {
    model.tell(state.path_text + ": a picture holds its scene already and is not replaced by a text; name a .toml file",
               true);
  } else if (go && !opening && !replaces && std::filesystem::exists(state.path_text)) {
    state.may_replace = state.path_text;
    model.tell(state.path_text + " is there already: Replace writes over it");
  } else if (go && !state.path_text.empty()) {
    try {
      if (opening) {
        const auto before = model.values();
        const auto loaded = read_scene_file(model, state.path_text);
        model.remember(before);
        model.start(loaded.steps);
        model.tell(loaded.warning.empty() ? "opened " + state.path_text : loaded.warning, !loaded.warning.empty());
      } else {
        const std::string text = scene_text(model, std::filesystem::absolute(state.path_text).parent_path());
        write_atomically(state.path_text, text);
        model.tell("saved " + state.path_text + lost_with(model, text));
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
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  if (model.notice.empty()) return;
  const ui::Scope scope(ui, "notice");
  const float width = std::min(window.x - ui.px(40), ui.px(640));
  const float text = ui::text_width(ui.fonts->body, model.notice);
  const int lines = 1 + static_cast<int>(text / (width - ui.px(120)));
  const float height = ui.px(44) + ui.px(16) * static_cast<float>(lines - 1);
  const ui::Rectangle area{{(window.x - width) / 2, window.y - ui.px(44) - height},
                           {(window.x + width) / 2, window.y - ui.px(44)}};
  ImGui::PushStyleColor(ImGuiCol_Border, model.notice_is_error ? ui.theme->bad : ui.theme->line);
  begin_panel(panel, "notice", area, ui.theme->raised, 12, 9, PanelKind::dialog);
  ImGui::PopStyleColor();
  ImDrawList* list = ImGui::GetWindowDrawList();
  ui::draw_icon(list, model.notice_is_error ? ui::Icon::warning : ui::Icon::check,
                {area.min.x + ui.px(22), area.min.y + ui.px(22)}, ui.px(14),
                model.notice_is_error ? ui.theme->bad : ui.theme->good);
  ImGui::SetCursorScreenPos({area.min.x + ui.px(40), area.min.y + ui.px(13)});
  ImGui::PushFont(ui.fonts->body);
  ImGui::PushTextWrapPos(area.width() - ui.px(48));
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->text);
  ImGui::TextUnformatted(ui::spelled(ui.fonts->body, model.notice).c_str());
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
  if (panel.model.palette_open)
    palette(panel, window);
  else
    panel.state.palette_focused = false;
  if (!panel.model.path_prompt.empty())
    path_prompt(panel, window);
  else
    panel.state.prompt_focused = false;
}

}  // namespace warploom
