#include "gpu/tracks/simplex/solid.h"
#include "gpu/tracks/simplex/state_body.h"
#include "gpu/tracks/simplex/state_exports.h"

namespace warploom {
template class CellStates<SimplexStateTrack<2>, CellTrack>;
template class SimplexStateTrack<2>;
}  // namespace warploom
