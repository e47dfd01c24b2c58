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

}  // namespace warploom
