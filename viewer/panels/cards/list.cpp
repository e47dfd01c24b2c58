#include "viewer/panels/cards/cards.h"

namespace warploom {

// A new card is one file and one line here: `always(card)` is drawn whatever there is, `all(Facet, card)` once where
// any track offers the facet, and `active(Facet, card)` of the active track where it does.
// clang-format off
#define WARPLOOM_LEFT_CARDS(always, all, active) \
  active(FailureFacet, failure_card)

#define WARPLOOM_RIGHT_CARDS(always, all, active) \
  always(timings_card)                            \
  all(Counted, threads_card)                      \
  all(NetworkFacet, network_card)                    \
  active(NetworkFacet, mapping_card)                 \
  active(NetworkFacet, banks_card)                   \
  active(NetworkFacet, resources_card)               \
  active(Curves, curves_card)                     \
  active(BudgetFacet, budget_card)                     \
  active(ShapeFacet, shape_card)                      \
  active(Accesses, memory_card)                   \
  always(results_card)

#define WARPLOOM_FOOT_CARDS(always, all, active) \
  always(inspector_card)
// clang-format on

template <class Facet>
using CardOf = void(PanelContext&, std::size_t track, Track&, Facet&);

#define WARPLOOM_ALWAYS(card) void card(PanelContext&);
#define WARPLOOM_ALL(Facet, card) void card(PanelContext&);
#define WARPLOOM_ACTIVE(Facet, card) CardOf<Facet> card;
WARPLOOM_LEFT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)
WARPLOOM_RIGHT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)
WARPLOOM_FOOT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)
#undef WARPLOOM_ALWAYS
#undef WARPLOOM_ALL
#undef WARPLOOM_ACTIVE

namespace {

#define WARPLOOM_ALWAYS(card) Card{card},
#define WARPLOOM_ALL(Facet, card) card_of_all<Facet, card>(),
#define WARPLOOM_ACTIVE(Facet, card) card_of_active<Facet, card>(),
constexpr Card left_cards[] = {WARPLOOM_LEFT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)};
constexpr Card right_cards[] = {WARPLOOM_RIGHT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)};
constexpr Card foot_cards[] = {WARPLOOM_FOOT_CARDS(WARPLOOM_ALWAYS, WARPLOOM_ALL, WARPLOOM_ACTIVE)};
#undef WARPLOOM_ALWAYS
#undef WARPLOOM_ALL
#undef WARPLOOM_ACTIVE

}  // namespace

void draw_left_cards(PanelContext& panel) {
  for (const Card& card : left_cards) card.draw(panel);
}

void draw_right_cards(PanelContext& panel) {
  for (const Card& card : right_cards) card.draw(panel);
}

void draw_foot_cards(PanelContext& panel) {
  for (const Card& card : foot_cards) card.draw(panel);
}

}  // namespace warploom
