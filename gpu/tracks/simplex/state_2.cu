#include "gpu/tracks/simplex/solid.h"
#include "gpu/tracks/simplex/state_body.h"
#include "gpu/tracks/simplex/state_exports.h"

template class warploom::SimplexStateTrack<2>;
