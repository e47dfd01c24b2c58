#pragma once
#include "gpu/core/types.h"

namespace warploom {

namespace detail {
/// Pool::pause, for programs: they do not need the pool's header.
void pause_in_pool();
}  // namespace detail

/// A thread of a block: its linear number, and its place in the block.
struct Thread {
  unsigned index = 0;
  Index3 at;
};

/// A lane is a thread's place in its warp: its number there, and how many threads of the warp the block has.
struct WarpLane {
  unsigned index = 0, live = warp_size;
};

}  // namespace warploom
