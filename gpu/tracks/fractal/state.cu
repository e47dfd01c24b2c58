#include "gpu/tracks/fractal/state_body.h"

template class warploom::FractalStateTrack<warploom::Embedded>;
