#include <algorithm>
#include <cmath>

#include "viewer/panels/cards/cards.h"

namespace warploom {

// A card that every scene may have is one file of this folder and one line here; a scene's own are among its parts and
// stand before the last ones of a panel.
void timings_card(PanelContext& panel);
void threads_card(PanelContext& panel);
CardOf<OverDevices> timeline_card;
CardOf<Curves> curves_card;
CardOf<BudgetFacet> budget_card;
CardOf<Accesses> memory_card;
void results_card(PanelContext& panel);
void inspector_card(PanelContext& panel);

namespace {

constexpr Card first_cards[] = {{Card::Panel::right, timings_card},
                                card_of_all<Counted, threads_card>(Card::Panel::right),
                                card_of_active<OverDevices, timeline_card>(Card::Panel::right)};
constexpr Card last_cards[] = {card_of_active<Curves, curves_card>(Card::Panel::right),
                               card_of_active<BudgetFacet, budget_card>(Card::Panel::right),
                               card_of_active<Accesses, memory_card>(Card::Panel::right),
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

namespace {

/// What the mouse is over stays below it when a card above it grows, shrinks or folds: a handle that is dragged, above
/// all, and with it the picture that it changes.
void hold_still(PanelContext& panel) {
  const auto& sections = panel.ui.sections;
  auto& held = panel.state.held_card;
  const auto now = std::ranges::find(sections, held.first, &std::pair<std::string, float>::first);
  if (now != sections.end() && now->second != held.second)
    ImGui::SetScrollY(std::max(0.f, ImGui::GetScrollY() + now->second - held.second));
  held = {};
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
  const float mouse = ImGui::GetIO().MousePos.y - ImGui::GetWindowPos().y + ImGui::GetScrollY();
  for (const auto& section : sections)
    if (section.second <= mouse) held = section;
}

/// The cards of a panel, whose titles fold them.
void folding_cards(PanelContext& panel, Card::Panel where) {
  panel.ui.folded = &panel.model.view.folded;
  panel.ui.sections.clear();
  draw_cards(panel, where);
  panel.ui.folded = nullptr;
}

}  // namespace

void right_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "right");
  ui::Rectangle upper = area, foot = area;
  // The foot is as high as what it said last, and leaves the upper part room.
  const float most = std::floor(area.height() * .55f);
  foot.min.y = upper.max.y = area.max.y - (panel.simulation && !panel.model.teaching.hides_figures()
                                               ? std::clamp(panel.state.foot_height, std::min(ui.px(32), most), most)
                                               : 0);
  begin_panel(panel, "right", upper, ui.theme->panel, 14, 4, PanelKind::scrolling);
  const bool hidden = panel.model.teaching.hides_figures();
  if (hidden) {
    ui::section_title(ui, "Figures");
    ui::quiet_text(ui, hidden_words);
  } else if (panel.simulation) {
    folding_cards(panel, Card::Panel::right);
    hold_still(panel);
    dim_stale(panel, upper, ui.theme->panel);
  } else {
    ui::section_title(ui, "Timings");
    ui::quiet_text(ui, "No tracks yet.");
  }
  ImGui::End();
  if (foot.empty() || hidden) return;
  begin_panel(panel, "foot", foot, ui.theme->panel, 14, 4, PanelKind::scrolling);
  ImGui::GetWindowDrawList()->AddLine(foot.min, {foot.max.x, foot.min.y}, ui.theme->line);
  folding_cards(panel, Card::Panel::foot);
  panel.state.foot_height = ImGui::GetCursorPosY() + ui.px(6);
  ImGui::End();
}

}  // namespace warploom
