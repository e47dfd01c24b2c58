#pragma once
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

struct TrackCard {
  ImU32 colour;            ///< the track's, as a bar at the left edge
  std::string_view title;  ///< "A  Bounding box"
  std::string_view subtitle;
  std::string_view seal;  ///< "sealed"; empty: no seal yet
  Role seal_role = Role::good;
  bool selected = false;
  bool removable = false;
  std::string_view help = {};  ///< more, in its tooltip
};
struct TrackCardResult {
  bool clicked = false;
  bool removed = false;  ///< its cross, recorded as ID/remove
};
TrackCardResult track_card(UiContext& ui, std::string_view id, const TrackCard& card);

/// Diagonal lines, rising to the right or `falling`, `spacing` pixels apart, clipped to the rectangle. Neighbouring
/// rectangles' lines meet.
void hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 colour, float spacing, float thickness = 1,
           bool falling = false);

struct WasteBar {
  ImU32 colour;             ///< fills the useful share
  ImU32 label_colour;       ///< colours `left`
  double useful;            ///< 0..1
  std::string_view left;    ///< "A"
  std::string_view middle;  ///< "6 561 useful of 65 536"
  std::string_view less;    ///< where that has no room: "6 561 of 65 536"
  std::string_view right;   ///< "10.0 %"
};
/// A line of figures above a bar whose wasted part is hatched.
void waste_bar(UiContext& ui, const WasteBar& bar);

/// Long work: what it is, how far (0..1; below 0: unknown), and a way out, recorded as `id`. Returns true on cancel.
bool progress(UiContext& ui, std::string_view id, std::string_view text, double fraction);

}  // namespace warploom::ui
