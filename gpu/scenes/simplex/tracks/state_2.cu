#include "gpu/scenes/simplex/pictures/solid.h"
#include "gpu/scenes/simplex/tracks/state_body.h"

namespace warploom {
template class CellStates<SimplexStateTrack<2>, CellTrack>;
template class SimplexStateTrack<2>;
}  // namespace warploom
