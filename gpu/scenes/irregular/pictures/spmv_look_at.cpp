#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/pictures/spmv_pictures.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

std::string spmv_look_at(const Simulation& simulation, const std::vector<std::string>& pictures) {
  const auto* first = dynamic_cast<const SpmvTrack*>(&simulation.track(0));
  const auto shows = [&](const char* key) { return std::ranges::find(pictures, key) != pictures.end(); };
  if (!first) return {};
  bool pads = false, merges = false, waits = false;
  for (std::size_t i = 0; i < simulation.size(); ++i)
    if (const auto* track = dynamic_cast<const SpmvTrack*>(&simulation.track(i)); track && track->layout()) {
      const SpmvLayout& layout = *track->layout();
      pads = pads || layout.stored() > 2 * track->matrix().nonzeros();
      waits = waits || layout.counts().launched > 2 * layout.counts().useful;
      merges = merges || track->info().name == "csr/merge";
    }
  const SpmvMatrix& matrix = first->matrix();
  const std::string longest = "The longest row has " + counted(matrix.longest, "nonzero") + ", the mean one " +
                              grouped((matrix.nonzeros() + matrix.rows / 2) / matrix.rows);
  if (shows("storage") && pads) return longest + ": hatched is padding. Areas are elements, at one scale.";
  if (shows("storage") && merges)
    return longest + ". The staircase is the merge path: every thread takes as many of its items.";
  if (shows("launch") && waits) return longest + ": hatched lanes wait for the longest of their warp.";
  if (shows("storage")) return longest + ". Areas are elements as stored, at one scale.";
  if (shows("launch")) return longest + ". A column is a thread, a row a turn of its warp.";
  return longest + ".";
}

}  // namespace warploom
