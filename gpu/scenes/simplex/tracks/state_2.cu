// nvcc: by itself
#include "gpu/scenes/simplex/pictures/solid.h"
#include "gpu/scenes/simplex/tracks/simplex_track.h"
#include "gpu/scenes/simplex/tracks/state_body.h"

namespace warploom {
template class CellStates<SimplexStateTrack<2>, CellTrack>;
template class SimplexStateTrack<2>;
template class SimplexTrack<2>;
}  // namespace warploom
