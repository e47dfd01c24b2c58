#include "gpu/scenes/fractal/tracks/state_body.h"

namespace warploom {

#define WARPLOOM_COMPILED(Storage)                                  \
  template class CellStates<FractalStateTrack<Storage>, CellTrack>; \
  template class FractalStateTrack<Storage>;
WARPLOOM_FRACTAL_STATES(WARPLOOM_COMPILED)
#undef WARPLOOM_COMPILED

}  // namespace warploom
