// The page of the first start, in place of the panes.
#include <algorithm>
#include <filesystem>

#include "viewer/model/parameters.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/dialogs.h"

namespace warploom {

namespace {

/// A title that begins something, and what it is.
bool entry(PanelContext& panel, const std::string& id, const std::string& title, const std::string& about,
           float width) {
  auto& ui = panel.ui;
  row_ground(ui, false);
  const bool clicked = ui::link_button(ui, id, title, ui::Icon::play, width);
  ImGui::Indent(ui.px(24));
  ui::quiet_text(ui, about);
  ImGui::Unindent(ui.px(24));
  ImGui::Dummy({0, ui.px(4)});
  return clicked;
}

void recent_files(PanelContext& panel, float width) {
  auto& ui = panel.ui;
  auto& recent = panel.state.files.recent;
  if (recent.empty()) return;
  ui::section_title(ui, "Recent");
  std::string forgotten;
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const std::filesystem::path file = recent[i];
    std::error_code none;
    const bool there = std::filesystem::exists(file, none);
    const std::string id = "recent_" + std::to_string(i + 1), name = file.filename().string();
    if (there && ui::link_button(ui, id, name, ui::Icon::none, width)) {
      panel.model.teaching.welcome = false;
      panel.model.guarded([&] { take_file(panel.model, file.string()); });
    }
    if (!there) {
      ui::quiet_text(ui, name + " is gone");
      ImGui::SameLine();
      if (ui::link_button(ui, id, "forget it")) forgotten = recent[i];
    }
    ui::help_tooltip(ui, file.string());
  }
  if (!forgotten.empty()) std::erase(recent, forgotten);
}

}  // namespace

void welcome_page(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  Teaching& teaching = panel.model.teaching;
  const ui::Scope scope(ui, "welcome");
  const float width = std::min(area.width() - ui.px(48), ui.px(680)),
              left = std::floor((area.min.x + area.max.x - width) / 2);
  begin_panel(panel, "welcome", area, ui.theme->ground, 0, 0);
  ImGui::SetCursorScreenPos({left, area.min.y + ui.px(36)});
  ImGui::BeginChild("page", {width, area.max.y - area.min.y - ui.px(44)}, false, ImGuiWindowFlags_NoNav);
  ImGui::PushFont(ui.fonts->large);
  const bool in_class = !teaching.class_title.empty();
  ImGui::TextWrapped("%s", in_class ? teaching.class_title.c_str() : "Warploom shows how GPU threads find their data.");
  ImGui::PopFont();
  ImGui::Dummy({0, ui.px(6)});
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->quiet);
  ImGui::TextWrapped(
      "A launch grid is a box, many domains are not. A thread map decides which thread works where, and how many work "
      "for "
      "nothing. The real kernels run here, on this machine.");
  ImGui::PopStyleColor();
  ImGui::Dummy({0, ui.px(10)});
  if (in_class) {
    for (const TourRow& tour : teaching.tours)
      if (entry(panel, "tour_" + tour.key, "Tour: " + tour.title, tour.idea, width)) {
        teaching.tour_wanted = tour.file;
        teaching.welcome = false;
      }
    for (const PuzzleRow& puzzle : teaching.puzzles)
      if (entry(panel, "puzzle_" + puzzle.key,
                "Puzzle: " + puzzle.title + (puzzle.best.empty() ? "" : ", best: " + puzzle.best), puzzle.task,
                width)) {
        teaching.puzzle_wanted = puzzle.file;
        teaching.welcome = false;
      }
    if (ui::primary_button(ui, "hand_in", "Hand in")) {
      panel.model.path_prompt = "hand_in";
      teaching.welcome = false;
    }
    ImGui::SameLine(0, ui.px(8));
  }
  const auto first = std::ranges::find(teaching.tours, "thread_map", &TourRow::key);
  if (!in_class && first != teaching.tours.end()) {
    if (ui::primary_button(ui, "tour", "Take the tour (8 minutes)", ui::Icon::play)) {
      teaching.tour_wanted = first->file;
      teaching.welcome = false;
    }
    ImGui::SameLine(0, ui.px(8));
  }
  if (ui::button(ui, "tours", "Tours and puzzles")) {
    teaching.tours_open = true;
    teaching.welcome = false;
  }
  ImGui::SameLine(0, ui.px(8));
  if (ui::button(ui, "open", "Open a file")) {
    panel.model.path_prompt = "open";
    teaching.welcome = false;
  }
  ImGui::SameLine(0, ui.px(8));
  if (ui::button(ui, "look", "Just look")) teaching.welcome = false;
  ImGui::Dummy({0, ui.px(8)});
  ui::section_title(ui, "Scenes");
  for (const auto& scene : panel.model.scenes())
    if (entry(panel, scene->key(), scene->title(), scene->description(), width)) {
      teaching.welcome = false;
      show_scene(panel.model, scene->key());
      break;  // the list may be another now
    }
  recent_files(panel, width);
  ui::quiet_text(ui, "Any key leaves this page; the command Welcome brings it back.");
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace warploom
