#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// Asks a CPU to bring what lies there nearer; nothing on a device, and nothing may hang on it.
WARPLOOM_HD void prefetch([[maybe_unused]] const void* at) {
#ifndef __CUDA_ARCH__
  __builtin_prefetch(at);
#endif
}

}  // namespace warploom
