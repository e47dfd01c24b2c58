#pragma once
#include "gpu/core/macros.h"

namespace warploom::own {

/// A turn of a loop, which a compiler must not take away: NVRTC and what assembles its code remove endless loops that
/// do nothing, and a map that never ends would be judged right. An event of a counter that is never read is a deed.
WARPLOOM_HD constexpr void turn() {
  if (!__builtin_is_constant_evaluated()) asm volatile("pmevent 0;");
}

}  // namespace warploom::own
