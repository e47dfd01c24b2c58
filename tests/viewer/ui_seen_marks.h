#pragma once
#include <algorithm>
#include <string>

#include "gpu/tracks/facets/threads.h"
#include "tests/viewer/ui_driver.h"

namespace warploom {

/// Whether the finished frame's window of this name drew anything in this colour (its opacity aside).
inline bool drew(const std::string& window, ImU32 colour) {
  for (const ImDrawList* list : drawn_by(window))
    for (const ImDrawVert& vertex : list->VtxBuffer)
      if (((vertex.col ^ colour) & 0xffffff) == 0 && vertex.col >> 24) return true;
  return false;
}

/// The panes of the last frame in which what is hovered should be marked and is not, by their names; empty: all mark
/// it. What should be is asked of the tracks themselves: a cell is in every data space, and in the launch grid of every
/// track that launches a thread for it; a thread is in its own launch grid, and its cell everywhere else. Where a scene
/// has pictures of its own: in those that know it, and a bin in all that show how full bins are.
inline std::string unmarked(Driver& d) {
  const Selection& hover = d.model.hover;
  std::string missing;
  if (hover.empty()) return missing;
  const auto target = d.model.target_of(hover);
  for (std::size_t i = 0; i < d.simulation().size(); ++i) {
    const Track& track = d.simulation().track(i);
    const auto* threads = track.facet<Threads>();
    if (!threads) continue;
    const bool own = hover.space != Selection::cell && hover.track == i;
    Owner who;
    const bool launched = own || (target && threads->comes_to(target->cell, track.launches()[0].threads, who));
    for (const bool side : {false, true}) {
      const std::string pane = (side ? "grid_" : "data_") + track_letter(d.simulation(), i),
                        window = (side ? "grid " : "data ") + track_letter(d.simulation(), i);
      const bool shown = std::any_of(d.ui.widgets.begin(), d.ui.widgets.end(),
                                     [&](const auto& widget) { return widget.path.starts_with(pane + "/"); });
      const bool flying = !side && d.model.view.solid.morph < 1;
      if (d.model.scene().facet<OwnPictures>()) {
        const auto at = shown_picture(track, d.model.view, side);
        if (!shown || !at) continue;
        const Picture& picture = *track.pictures()[*at];
        const SolidSettings& solid = d.model.view.solid;
        const Looking looking{1, picture.info().sliced ? solid.slice_axis : -1, solid.slice};
        const bool cut = looking.slice_axis >= 0;
        // What a picture knows only by painting it does not know here: pictures are not painted.
        const bool certain = hover.space == "bin" && picture.info().key == "occupancy" && !cut;
        if (!certain && picture.marks(d.model.selected_in(i, hover), looking).empty()) continue;
      } else if (flying && own && !target && !threads->footprint(hover.owner)) {
        continue;  // a turn that was tested and not taken: nothing is on its way
      } else if (!shown || (side || flying ? !launched : !target)) {
        continue;
      }
      // Hatching in the warning's colour is how solids mark a wasted place.
      if (!drew(window, d.ui.theme->selection) && !drew(window, d.ui.theme->warning)) missing += window + "; ";
    }
  }
  return missing;
}

}  // namespace warploom
