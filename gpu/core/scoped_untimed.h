#pragma once
#include "gpu/core/scoped_member.h"

namespace warploom {

/// While it lives the queue's launches are timed by this stopwatch.
using ScopedStopwatch = ScopedMember<&Queue::stopwatch>;
/// While it lives nothing in the queue is timed: work that belongs to no figure.
using ScopedUntimed = ScopedStopwatch;

}  // namespace warploom
