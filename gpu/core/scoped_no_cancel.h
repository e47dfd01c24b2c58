#pragma once
#include "gpu/core/scoped_member.h"

namespace warploom {

/// While it lives nothing in the queue is cancelled: for what must be done whole once it is begun.
using ScopedNoCancel = ScopedMember<&Queue::cancel>;

}  // namespace warploom
