#include "gpu/tracks/simplex/solid.h"
#include "gpu/tracks/simplex/state_body.h"

template class warploom::SimplexStateTrack<3>;
