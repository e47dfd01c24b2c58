#include <fmt/format.h>

#include "gpu/core/format.h"
#include "viewer/panels/dialogs.h"

namespace warploom {

namespace {

/// A title that begins it, a note at its right, and what it is about. Whether it was clicked.
bool row(PanelContext& panel, const std::string& id, const std::string& title, const std::string& about,
         const std::string& note, bool done) {
  auto& ui = panel.ui;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, noted = ui::text_width(ui.fonts->mono, note);
  row_ground(ui, false);
  const bool clicked = ui::link_button(ui, id, title, done ? ui::Icon::check : ui::Icon::play, width);
  ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, ui.theme->quiet, {low.x + width - ui.px(6) - noted, low.y},
                {low.x + width - ui.px(6), low.y + ui.px(22)}, note, ui::Align::right);
  ImGui::Indent(ui.px(24));
  ui::quiet_text(ui, about);
  ImGui::Unindent(ui.px(24));
  ImGui::Dummy({0, ui.px(4)});
  return clicked;
}

}  // namespace

void tours_window(PanelContext& panel, ImVec2 window) {
  auto& ui = panel.ui;
  Teaching& teaching = panel.model.teaching;
  const ui::Scope scope(ui, "tours");
  begin_dialog(panel, "tours", window, 620, 640);
  ui::section_title(ui, "Tours");
  ui::quiet_text(
      ui,
      "Each asks before it shows. Nothing is locked, and what you have now comes back at the end, but for its times.");
  if (!teaching.tally.empty()) ui::quiet_text(ui, "So far: " + teaching.tally + ".");
  ImGui::Dummy({0, ui.px(6)});
  ImGui::BeginChild("rows", {0, ImGui::GetContentRegionAvail().y - ui.px(36)}, false, ImGuiWindowFlags_NoNav);
  for (const TourRow& tour : teaching.tours) {
    const std::string note = (tour.minutes ? fmt::format("{} min, ", tour.minutes) : std::string()) +
                             counted(tour.steps, "step") + (tour.done ? ", done" : "");
    if (row(panel, tour.key, tour.title, tour.idea, note, tour.done)) {
      teaching.tour_wanted = tour.file;
      teaching.tours_open = false;
    }
  }
  if (teaching.tours.empty()) ui::quiet_text(ui, "no tour was found beside the program");
  if (teaching.scrolls > 0) {
    --teaching.scrolls;
    if (teaching.at_puzzles)
      ImGui::SetScrollHereY(0);
    else
      ImGui::SetScrollY(0);
  }
  ui::section_title(ui, "Puzzles");
  for (const PuzzleRow& puzzle : teaching.puzzles)
    if (row(panel, puzzle.key, puzzle.title, puzzle.task, puzzle.best.empty() ? "not solved" : "best: " + puzzle.best,
            !puzzle.best.empty())) {
      teaching.puzzle_wanted = puzzle.file;
      teaching.tours_open = false;
    }
  ImGui::EndChild();
  if (ui::button(ui, "close", "Close")) teaching.tours_open = false;
  ImGui::End();
}

}  // namespace warploom
