// nvcc: by itself
#include "gpu/scenes/simplex/tracks/simplex_track.h"
#include "gpu/scenes/simplex/tracks/state_body.h"

// Its solid pictures are in solid_3.cu: each takes as long to compile as all the rest.
namespace warploom {
template class CellStates<SimplexStateTrack<3>, CellTrack>;
template class SimplexStateTrack<3>;
template class SimplexTrack<3>;
}  // namespace warploom
