#pragma once
#include <algorithm>
#include <cstddef>

#include "gpu/tracks/facets/accesses.h"
#include "gpu/tracks/facets/failing.h"
#include "viewer/panels/panels.h"

namespace warploom {

// ---- a card is one file and one line of a list: list.cpp ---------------------------------------------------------

/// Kernel times of every track, ratios to the baseline.
void timings_card(PanelContext& panel);
/// Useful and wasted threads of every track that counts them.
void threads_card(PanelContext& panel);
/// Who serves the selection, from where, and how the active track's map finds it.
void inspector_card(PanelContext& panel);
/// The selected warp's memory under every layout, totals over the domain, and the paper's formulas.
void memory_card(PanelContext& panel, std::size_t track_index, Track& track, Accesses& memory);
/// For a map that is meant to be wrong: how far it goes, a slider over n, and the way to its first failure.
void failure_card(PanelContext& panel, std::size_t track_index, Track& track, Failing& failing);

// ---- how cards are found -----------------------------------------------------------------------------------------

/// A part of a side panel; it draws nothing where nothing offers what it shows. Needs a simulation.
struct Card {
  void (*draw)(PanelContext& panel);
};

/// A card of all tracks, drawn where any of them offers the facet.
template <class Facet, void (*body)(PanelContext&)>
constexpr Card card_of_all() {
  return {[](PanelContext& panel) {
    for (std::size_t i = 0; i < panel.simulation->size(); ++i)
      if (panel.simulation->track(i).facet<Facet>()) return body(panel);
  }};
}

/// A card of the active track, drawn where it offers the facet.
template <class Facet, void (*body)(PanelContext&, std::size_t, Track&, Facet&)>
constexpr Card card_of_active() {
  return {[](PanelContext& panel) {
    const std::size_t index = std::min(panel.model.active_track, panel.simulation->size() - 1);
    Track& track = panel.simulation->track(index);
    if (auto* facet = track.facet<Facet>()) body(panel, index, track, *facet);
  }};
}

/// The cards of the left panel, below the tracks' own, and of the right one, from top to bottom.
void draw_left_cards(PanelContext& panel);
void draw_right_cards(PanelContext& panel);

}  // namespace warploom
