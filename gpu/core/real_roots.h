#pragma once
#include <cmath>

#include "gpu/core/macros.h"

namespace warploom {

/// 1 / sqrt(a) as each machine has it: the device's instruction, and on the host a root and a division.
WARPLOOM_HD float inverse_square_root(float a) {
#ifdef __CUDA_ARCH__
  return rsqrtf(a);
#else
  return 1 / std::sqrt(a);
#endif
}

/// The same by the bare instruction where there is one: numbers below the least normal one count as zero.
WARPLOOM_HD float bare_inverse_square_root(float a) {
#ifdef __CUDA_ARCH__
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(a));
  return root;
#else
  return 1 / std::sqrt(a);
#endif
}

/// a b + c, rounded once, on every machine.
WARPLOOM_HD float fused_multiply_add(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

}  // namespace warploom
