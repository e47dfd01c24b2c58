#pragma once
#include <algorithm>
#include <string>

#include "gpu/tracks/facets/threads.h"
#include "tests/ui_driver.h"

namespace warploom {

/// Whether the finished frame's window of this name drew anything in this colour (its opacity aside).
inline bool drew(const std::string& window, ImU32 colour) {
  const ImDrawData* data = ImGui::GetDrawData();
  for (int i = 0; i < data->CmdListsCount; ++i) {
    const ImDrawList& list = *data->CmdLists[i];
    if (!list._OwnerName || window != list._OwnerName) continue;
    for (const ImDrawVert& vertex : list.VtxBuffer)
      if (((vertex.col ^ colour) & 0xffffff) == 0 && vertex.col >> 24) return true;
  }
  return false;
}

/// The panes of the last frame in which what is hovered should be marked and is not, by their names; empty: all mark
/// it. What should be is asked of the tracks themselves: a cell is in every data space, and in the launch grid of every
/// track that launches a thread for it; a thread is in its own launch grid, and its cell everywhere else.
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
      const std::string pane = (side ? "grid_" : "data_") + track_letter(i),
                        window = (side ? "grid " : "data ") + track_letter(i);
      const bool shown = std::any_of(d.ui.widgets.begin(), d.ui.widgets.end(),
                                     [&](const auto& widget) { return widget.path.starts_with(pane + "/"); });
      const bool flying = !side && d.model.view.solid.morph < 1;
      if (!shown || (side || flying ? !launched : !target)) continue;
      // Hatching in the warning's colour is how solids mark a wasted place.
      if (!drew(window, d.ui.theme->selection) && !drew(window, d.ui.theme->warning)) missing += window + "; ";
    }
  }
  return missing;
}

}  // namespace warploom
