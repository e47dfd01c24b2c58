#include "gpu/tracks/fractal/state_body.h"

namespace warploom {
template class CellStates<FractalStateTrack<Embedded>, CellTrack>;
template class FractalStateTrack<Embedded>;
}  // namespace warploom
