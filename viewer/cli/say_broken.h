#pragma once
#include "gpu/tracks/simulation.h"

namespace warploom {

/// Says of each own map, rule or kernel what is wrong with it. Whether there is a track that broke.
bool say_what_broke(const Simulation& tracks);

}  // namespace warploom
