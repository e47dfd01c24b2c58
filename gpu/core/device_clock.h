#pragma once
#include <chrono>
#include <cstdint>

#include "gpu/core/macros.h"

namespace warploom {

/// Nanoseconds by a clock that all blocks of a launch share, counted from no particular time: differences alone tell
/// something. A device advances it in steps of up to a microsecond.
WARPLOOM_HOST_CALLS
WARPLOOM_HD std::uint64_t device_clock() {
#ifdef __CUDA_ARCH__
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#else
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
#endif
}

}  // namespace warploom
