// nvcc: by itself
#include "gpu/scenes/fractal/tracks/fractal_track.h"
#include "gpu/scenes/fractal/tracks/state_body.h"

namespace warploom {

#define WARPLOOM_COMPILED(Storage)                                  \
  template class CellStates<FractalStateTrack<Storage>, CellTrack>; \
  template class FractalStateTrack<Storage>;
WARPLOOM_FRACTAL_STATES(WARPLOOM_COMPILED)
#undef WARPLOOM_COMPILED

#define WARPLOOM_COMPILED(Storage) template class FractalTrack<Storage>;
WARPLOOM_FRACTAL_STORAGES(WARPLOOM_COMPILED)
#undef WARPLOOM_COMPILED

}  // namespace warploom
