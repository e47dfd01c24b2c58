#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

constexpr Card left_cards[] = {
    card_of_active<Failing, failure_card>(),
};

constexpr Card right_cards[] = {
    Card{timings_card},
    card_of_all<Counted, threads_card>(),
    card_of_all<Threads, inspector_card>(),
    card_of_active<Accesses, memory_card>(),
};

}  // namespace

void draw_left_cards(PanelContext& panel) {
  for (const Card& card : left_cards) card.draw(panel);
}

void draw_right_cards(PanelContext& panel) {
  for (const Card& card : right_cards) card.draw(panel);
}

}  // namespace warploom
