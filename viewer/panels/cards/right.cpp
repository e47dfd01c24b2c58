#include <algorithm>
#include <cmath>

#include "viewer/panels/cards/cards.h"

namespace warploom {

void right_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "right");
  ui::Rectangle upper = area, foot = area;
  // The foot is as high as what it said last, and leaves the upper part room.
  const float most = std::floor(area.height() * .55f);
  foot.min.y = upper.max.y =
      area.max.y - (panel.simulation ? std::clamp(panel.state.foot_height, std::min(ui.px(72), most), most) : 0);
  begin_panel(panel, "right", upper, ui.theme->panel, 14, 4, PanelKind::scrolling);
  if (panel.simulation) {
    draw_cards(panel, Card::Panel::right);
  } else {
    ui::section_title(ui, "Timings");
    ui::quiet_text(ui, "No tracks yet.");
  }
  ImGui::End();
  if (foot.empty()) return;
  begin_panel(panel, "foot", foot, ui.theme->panel, 14, 4, PanelKind::scrolling);
  ImGui::GetWindowDrawList()->AddLine(foot.min, {foot.max.x, foot.min.y}, ui.theme->line);
  draw_cards(panel, Card::Panel::foot);
  panel.state.foot_height = ImGui::GetCursorPosY() + ui.px(6);
  ImGui::End();
}

}  // namespace warploom
