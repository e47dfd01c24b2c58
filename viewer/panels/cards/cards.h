#pragma once
#include <algorithm>
#include <cstddef>

#include "gpu/tracks/facets/all.h"
#include "viewer/panels/panels.h"

namespace warploom {

// A card is one file of this folder and one line of list.cpp, which declares it too.

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

/// The cards of the left panel, below the tracks' own, of the right one, from top to bottom, and of its foot, that
/// stays in view.
void draw_left_cards(PanelContext& panel);
void draw_right_cards(PanelContext& panel);
void draw_foot_cards(PanelContext& panel);

}  // namespace warploom
