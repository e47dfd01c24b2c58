#include <algorithm>
#include <utility>

#include "viewer/model/commands.h"
#include "viewer/model/scene_parts.h"
#include "viewer/panels/dialogs.h"

namespace warploom {

std::string search_field(PanelContext& panel, PanelState::Search& search, const char* hint, bool focus) {
  auto& ui = panel.ui;
  if (!std::exchange(search.open, true)) {
    search.text.clear();
    search.again = focus;
  }
  if (std::exchange(search.again, false)) ImGui::SetKeyboardFocusHere();
  ui::text(ui, "filter", "Find", search.text, hint);
  // While it is being typed, the text is the field's.
  const bool typing = ui.edit.id && ui.edit_path == ui::path_of(ui, "filter") && ImGui::GetIO().WantTextInput;
  return lower_case(typing ? ui.edit.text : search.text);
}

namespace {

/// A heading, or what a key does.
struct HelpLine {
  std::string title, key;
  bool heading = false;
};

/// What the help says of these words, group by group.
std::vector<std::vector<HelpLine>> help_groups(Model& model, const std::string& filter) {
  std::vector<std::vector<HelpLine>> groups;
  const auto add = [&](const std::string& group, const std::string& title, const std::string& key) {
    if (lower_case(group + " " + title + " " + key).find(filter) == std::string::npos) return;
    const auto at = std::ranges::find(groups, group, [](const auto& lines) { return lines[0].title; });
    auto& lines = at != groups.end() ? *at : groups.emplace_back(1, HelpLine{group, {}, true});
    lines.push_back({title, key});
  };
  for (const auto& command : all_commands())
    if (!command.name.starts_with("map_") && applies(model, command))
      add(group_of(command).title, command.title, key_text(command));
  add(group_of(*find_command("add_track")).title, "Map of the active track", "1 \u2026 9");
  add(group_of(*find_command("fit")).title, "Zoom, pan, show everything", "wheel, drag, double-click");
  return groups;
}

}  // namespace

void help(PanelContext& panel, ImVec2 window) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "help");
  begin_dialog(panel, "help", window, 900, 700);
  ui::section_title(ui, "Keys");
  // H closes it again, so the field waits to be clicked.
  const auto groups =
      help_groups(panel.model, search_field(panel, panel.state.help, "a command, a key, a group", false));
  ImGui::Dummy({0, ui.px(4)});
  ImGui::BeginChild("rows", {0, ImGui::GetContentRegionAvail().y - ui.px(36)}, false, ImGuiWindowFlags_NoNav);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float all = ImGui::GetContentRegionAvail().x, gap = ui.px(32), row = ui.px(22), space = ui.px(10);
  const bool two = all >= ui.px(760);
  const float width = two ? std::floor((all - gap) / 2) : all - ui.px(8);
  std::size_t lines = 0;
  for (const auto& group : groups) lines += group.size();
  float x = corner.x, y = corner.y, most = 0;
  std::size_t above = 0;
  for (const auto& group : groups) {
    if (two && x == corner.x && above > 0 && 2 * above + group.size() > lines) {
      x += width + gap;
      y = corner.y;
    }
    for (const HelpLine& line : group) {
      if (line.heading)
        ui::draw_title(ui, list, {x, y + ui.px(6)}, ui.theme->accent, line.title, width);
      else
        ui::draw_text(list, ui.fonts->body, ui.theme->text, {x, y}, {x + width, y + row}, line.title);
      ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {x, y}, {x + width, y + row}, line.key, ui::Align::right);
      y += row;
    }
    y += space;
    above += group.size();
    most = std::max(most, y - corner.y);
  }
  ImGui::SetCursorScreenPos(corner);
  ImGui::Dummy({all, most});
  ImGui::EndChild();
  if (groups.empty()) ui::quiet_text(ui, "no key or command matches");
  if (ui::button(ui, "close", "Close")) panel.model.help_open = false;
  ImGui::SameLine();
  if (ui::button(ui, "glossary", "Glossary")) panel.model.glossary_open = true;
  ImGui::End();
}

void glossary_window(PanelContext& panel, ImVec2 window) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "glossary");
  begin_dialog(panel, "glossary", window, 620, 640);
  ui::section_title(ui, "Glossary");
  const bool opens = !state.glossary.open;
  std::string filter = search_field(panel, state.glossary, "a term, or a word of its text");
  if (opens || !model.glossary_word.empty())
    filter = lower_case(state.glossary.text = std::exchange(model.glossary_word, {}));
  ImGui::Dummy({0, ui.px(4)});
  ImGui::BeginChild("rows", {0, ImGui::GetContentRegionAvail().y - ui.px(36)}, false, ImGuiWindowFlags_NoNav);
  bool any = false;
  // Terms that are named so come before those whose text has the word.
  for (const bool named : {true, false})
    for (const Term& term : glossary()) {
      if ((lower_case(term.word).find(filter) != std::string::npos) != named) continue;
      if (!named && lower_case(term.text).find(filter) == std::string::npos) continue;
      any = true;
      ImGui::PushFont(ui.fonts->strong);
      ImGui::TextUnformatted(term.word);
      ImGui::PopFont();
      ui::quiet_text(ui, term.text);
      ImGui::Dummy({0, ui.px(4)});
    }
  if (!any) ui::quiet_text(ui, "no term matches");
  ImGui::EndChild();
  if (ui::button(ui, "close", "Close")) model.glossary_open = false;
  ImGui::End();
}

}  // namespace warploom
