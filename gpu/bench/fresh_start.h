#pragma once
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/track.h"

namespace warploom::bench {

/// The start state in both states of a track: the answer of an earlier run is left in neither.
inline void fresh_start(Track& track, Queue& queue, std::uint64_t seed, double density) {
  for (int state = 0; state < 2; ++state) {
    track.need<FillFacet>().fill(queue, seed, density);
    queue.wait();
    track.publish(queue);
  }
}

}  // namespace warploom::bench
