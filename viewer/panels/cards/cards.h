#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/tracks/facets/all.h"
#include "viewer/model/scene_parts.h"
#include "viewer/panels/panels.h"

namespace warploom {

/// The body of a card of the active track.
template <class Facet>
using CardOf = void(PanelContext& panel, std::size_t index, Track& track, Facet& facet);

/// A card of all tracks, drawn where any of them offers the facet.
template <class Facet, void (*body)(PanelContext&)>
constexpr Card card_of_all(Card::Panel where) {
  return {where, [](PanelContext& panel) {
            if (any_offers<Facet>(*panel.simulation)) body(panel);
          }};
}

/// A card of the active track, drawn where it offers the facet.
template <class Facet, CardOf<Facet>* body>
constexpr Card card_of_active(Card::Panel where) {
  return {where, [](PanelContext& panel) {
            const std::size_t index = std::min(panel.model.active_track, panel.simulation->size() - 1);
            Track& track = panel.simulation->track(index);
            if (auto* facet = track.facet<Facet>()) body(panel, index, track, *facet);
          }};
}

/// The cards of a panel, from top to bottom: of the left one those below the tracks' own; the foot is that of the right
/// one, and stays in view.
void draw_cards(PanelContext& panel, Card::Panel where);

/// Of a cell that several threads of an own map serve: how many, and the first of them. `kept`: of the picked cell.
void server_rows(PanelContext& panel, std::size_t track, Cell cell, bool kept);
/// Whether a thread of an own map serves a cell, and which one is not known yet; of the picked cell it is looked for.
bool owner_is_looked_for(PanelContext& panel, std::size_t track, Cell cell, bool kept);

struct TableCell {
  std::string text;
  ImU32 colour;
};

/// One row of a table: a label and right-aligned columns. They are equally wide, unless the first of two has a share of
/// its own. `label_width` in design pixels.
void table_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet = false,
               float label_width = 76, float first_share = 0);

/// The same, where no text may be cut: texts too long for columns stand side by side as they are, and where that is too
/// much, in a row each or in several. So does a label that leaves no room for its value.
void whole_row(ui::UiContext& ui, std::string_view label, const std::vector<TableCell>& cells, bool quiet,
               float label_width);

}  // namespace warploom
