#include "gpu/scenes/fractal/own/judged_pictures.h"

namespace warploom {

template <class Storage>
void paint_judged_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                        const JudgedGrid& grid, bool wrong) {
  const bool by_owner = request.colour_by == ColourBy::launch_order || request.colour_by == ColourBy::warp;
  if (wrong && !by_owner)
    track.paint_values(queue, request, JudgedValue{{grid, ColourBy::state, request.so_far}});
  else
    track.paint_cells_by(queue, request, grid);
}
template <class Storage>
void paint_judged_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                           const JudgedGrid& grid) {
  track.paint_launches_by(queue, request, grid);
}

#define WARPLOOM_JUDGED_PICTURES(Storage)                                                                           \
  template void paint_judged_cells(FractalTrack<Storage>&, Queue&, const PictureRequest&, const JudgedGrid&, bool); \
  template void paint_judged_launches(FractalTrack<Storage>&, Queue&, const PictureRequest&, const JudgedGrid&);
WARPLOOM_FRACTAL_STORAGES(WARPLOOM_JUDGED_PICTURES)
#undef WARPLOOM_JUDGED_PICTURES

}  // namespace warploom
