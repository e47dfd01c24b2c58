#pragma once
#include "gpu/core/atomic.h"

namespace warploom {

/// What other threads store meanwhile, by relaxed_store; read anew each time.
template <class Value>
WARPLOOM_HD Value relaxed_load(const Value* from) {
#ifdef __CUDA_ARCH__
  return *static_cast<const volatile Value*>(from);
#else
  Value value;
  __atomic_load(from, &value, __ATOMIC_RELAXED);
  return value;
#endif
}

}  // namespace warploom
