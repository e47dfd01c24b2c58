#include "viewer/panels/cards/cards.h"

namespace warploom {

void right_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "right");
  begin_panel(panel, "right", area, ui.theme->panel, 14, 4, PanelKind::scrolling);
  if (panel.simulation) {
    draw_right_cards(panel);
  } else {
    ui::section_title(ui, "Timings");
    ui::quiet_text(ui, "No tracks yet.");
  }
  ImGui::End();
}

}  // namespace warploom
