#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// floor(log2 value), value above 0.
WARPLOOM_HD int floor_log2(std::uint32_t value) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(value));
#else
  return 31 - __builtin_clz(value);
#endif
}

}  // namespace warploom
