#include "gpu/scenes/fractal/own/judged_pictures.h"

namespace warploom {

template <class Storage>
void paint_judged_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                        const JudgedGrid& grid, bool wrong) {
  if (wrong)
    track.paint_values(queue, request, JudgedValue{{grid, request.colour_by, request.so_far}});
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
