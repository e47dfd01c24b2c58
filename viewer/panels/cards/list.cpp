#include <algorithm>
#include <cmath>

#include "viewer/panels/cards/cards.h"

namespace warploom {

// A card that every scene may have is one file of this folder and one line here; a scene's own are among its parts and
// stand before the last ones of a panel.
void timings_card(PanelContext& panel);
void threads_card(PanelContext& panel);
CardOf<Accesses> memory_card;
void results_card(PanelContext& panel);
void inspector_card(PanelContext& panel);

namespace {

constexpr Card first_cards[] = {{Card::Panel::right, timings_card},
                                card_of_all<Counted, threads_card>(Card::Panel::right)};
constexpr Card last_cards[] = {card_of_active<Accesses, memory_card>(Card::Panel::right),
                               {Card::Panel::right, results_card},
                               {Card::Panel::foot, inspector_card}};

}  // namespace

void draw_cards(PanelContext& panel, Card::Panel where) {
  const auto draw = [&](const auto& cards) {
    for (const Card& card : cards)
      if (card.panel == where) card.draw(panel);
  };
  draw(first_cards);
  draw(panel.model.scene().parts().cards);
  draw(last_cards);
}

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
    dim_stale(panel, upper, ui.theme->panel);
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
