// The source of the active track: its map and its work, with what the selected thread computes at their lines.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gpu/own/registry.h"
#include "viewer/model/facets.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/code_field.h"

namespace warploom {

namespace {

/// What the panel keeps between frames.
struct SourceState {
  std::map<int, ui::CodeField> fields;  ///< by file
};

void files_row(PanelContext& panel) {
  SourceView& source = panel.model.source;
  for (std::size_t i = 0; i < source.files().size(); ++i) {
    const std::string& name = source.files()[i].name;
    const ui::Scope scope(panel.ui, "file" + std::to_string(i));
    const float width = ui::text_width(panel.ui.fonts->body, name) + panel.ui.px(24);
    if (i > 0) {
      ImGui::SameLine(0, panel.ui.px(2));
      if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    }
    const auto file = static_cast<int>(i);
    if (ui::tab(panel.ui, "show", name, file == source.front, 28)) source.show(file);
  }
}

/// Two buttons, and how far the thread is stepped through.
void steps_row(PanelContext& panel) {
  SourceView& source = panel.model.source;
  const SeenLine* at = source.at();
  if (!at) return ui::quiet_text(panel.ui, source.why_not());
  if (ui::button(panel.ui, "before", "{")) step_source(panel.model, -1);
  ui::help_tooltip(panel.ui, "the line that the thread ran before ({)");
  ImGui::SameLine(0, panel.ui.px(2));
  if (ui::button(panel.ui, "after", "}")) step_source(panel.model, 1);
  ui::help_tooltip(panel.ui, "the line that it ran next (})");
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  if (source.at_end()) return ui::quiet_text(panel.ui, "all that the thread ran; { walks back");
  ui::quiet_text(panel.ui,
                 fmt::format("{}, line {}{}{}", source.files()[static_cast<std::size_t>(at->file)].name, at->line,
                             at->turns > 1 ? fmt::format(", time {} of {}", at->turn, at->turns) : "",
                             source.cut() ? "; its last lines are left out" : ""));
}

}  // namespace

void show_values(PanelContext& panel, int file, ui::CodeField& field) {
  const SourceView& source = panel.model.source;
  if (std::exchange(field.values_version, source.version()) == source.version()) return;
  field.values.clear();
  field.at_line = 0;
  for (const SeenLine& line : source.shown(file)) {
    std::string words = line.words;
    if (line.turns > 1) words += fmt::format("{}{} of {}", words.empty() ? "" : "   ", line.turn, line.turns);
    if (!words.empty()) field.values.push_back({line.line, 0, words});
  }
  if (const SeenLine* at = source.at(); at && at->file == file) field.at_line = at->line;
}

void source_panel(PanelContext& panel, const ui::Rectangle& area) {
  ui::UiContext& ui = panel.ui;
  Model& model = panel.model;
  SourceView& source = model.source;
  auto& kept = panel.state.own<SourceState>();
  const ui::Scope scope(ui, "source");
  begin_panel(panel, "source", area, ui.theme->panel, 10, 6);
  const auto& tracks = model.scene().tracks();
  const std::string track = model.active_track < tracks.size() ? tracks[model.active_track] : "";
  ui::section_title(ui, "Source of " + track);
  if (ui::button(ui, "hide", "Close source")) model.view.source = false;
  ui::help_tooltip(ui, "the editor of your own maps: Ctrl+E (Ctrl+Shift+E)");
  if (model.scene().facet<TakesOwnMaps>()) {
    ImGui::SameLine();
    if (ui::button(ui, "own", "Write your own")) {
      toggle_editor(model);
      if (!names_own(track)) write_from(panel, track);
    }
    ui::help_tooltip(ui, "opens the editor with the example that is nearest to this map (Ctrl+E)");
  }
  if (static_cast<std::size_t>(source.front) >= source.files().size()) {
    ui::quiet_text(ui, source.why_not());
    ImGui::End();
    return;
  }
  files_row(panel);
  steps_row(panel);
  auto& field = kept.fields[source.front];
  show_values(panel, source.front, field);
  if (const int line = std::exchange(source.go_to, 0)) field.go_to = line;
  ImVec2 room = ImGui::GetContentRegionAvail();
  room.y = std::max(room.y, ui.px(60));
  ui::code_view(ui, "code", source.files()[static_cast<std::size_t>(source.front)].text, field, room, own_words());
  ImGui::End();
}

}  // namespace warploom
