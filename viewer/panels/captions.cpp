#include <fmt/format.h>

#include "viewer/panels/cards/verdict.h"
#include "viewer/panels/panels.h"

namespace warploom {

void captions(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  begin_panel(panel, "captions", area, ui.theme->panel, 16, 8);
  ImGui::GetWindowDrawList()->AddLine(area.min, {area.max.x, area.min.y}, ui.theme->line);
  const auto say = [](const std::string& words, ImU32 colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(ui::wrapped(ImGui::GetFont(), words, ImGui::GetContentRegionAvail().x).c_str());
    ImGui::PopStyleColor();
  };
  // What spoils a figure is said here too.
  std::string where = domain_words(model) + fmt::format("  \u00b7  step {}", grouped(simulation->steps()));
  if (model.runner().backend() == Backend::cpu) where += "  \u00b7  CPU ENGINE";
  const auto status = simulation->status();
  for (std::size_t i = 0; i < status.size(); ++i)
    if (!status[i].agrees) where += "  \u00b7  " + std::string(status[i].badge()) + ": " + track_letter(i);
  say(where, ui.theme->quiet);
  for (const auto& words : verdicts(panel)) say(words, ui.theme->text);
  state.caption_height = ImGui::GetCursorPosY() + ui.px(6);
  ImGui::End();
}

}  // namespace warploom
