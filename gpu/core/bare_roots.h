#pragma once
#include <cmath>

#include "gpu/core/macros.h"

namespace warploom {

/// Whether roots are had from bare instructions here, without a loop and without a call: on a device.
#ifdef __CUDA_ARCH__
inline constexpr bool has_bare_roots = true;
#else
inline constexpr bool has_bare_roots = false;
#endif

/// The root of a >= 0 by the instruction that rounds as it likes; on the host the library's.
WARPLOOM_HD float bare_square_root(float a) {
#ifdef __CUDA_ARCH__
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(a));
  return root;
#else
  return std::sqrt(a);
#endif
}

/// The cube root of a >= 0 by the logarithm and the power of two, 22 bits of each; on the host the library's.
WARPLOOM_HD float bare_cube_root(float a) {
#ifdef __CUDA_ARCH__
  float logarithm, root;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(logarithm) : "f"(a));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(logarithm * (1 / 3.f)));
  return root;
#else
  return std::cbrt(a);
#endif
}

}  // namespace warploom
