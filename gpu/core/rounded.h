#pragma once
#include <cmath>

#include "gpu/core/macros.h"

namespace warploom {

/// Binary32 operations that no compiler contracts: the same number in every track of a backend.
WARPLOOM_HD float rounded_product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
WARPLOOM_HD float rounded_sum(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}

/// x within 0 and 1.
WARPLOOM_HD float saturated(float x) {
#ifdef __CUDA_ARCH__
  return __saturatef(x);
#else
  return x < 0 ? 0 : x > 1 ? 1 : x;
#endif
}

/// 1 / x but for the last bit. A device takes its fast estimate and mends it once: of 0 and of what is below 2^-126
/// comes no number. `none` is set above 2^126, and what is returned then is of no use.
WARPLOOM_HD float quick_reciprocal(float x, bool& none) {
#ifdef __CUDA_ARCH__
  float near;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(x));
  none |= near == 0;
  return __fmaf_rn(near, __fmaf_rn(-x, near, 1), near);
#else
  none |= !(fabsf(x) <= 0x1p126f);
  return 1 / x;
#endif
}

/// 1 / x of a whole number from 1 to 2^19, rounded to nearest; of 0 no number a result is made from. On a device
/// without asking whether x has a reciprocal.
WARPLOOM_HD float whole_reciprocal(float x) {
#ifdef __CUDA_ARCH__
  float near;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(near) : "f"(x));
  return __fmaf_rn(near, __fmaf_rn(-x, near, 1), near);
#else
  return 1 / x;
#endif
}

/// x^2 + y^2 + z^2. On a device by explicit fma, else each operation rounded.
WARPLOOM_HD float square_sum(float x, float y, float z) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(z, z, __fmaf_rn(y, y, __fmul_rn(x, x)));
#else
  return x * x + y * y + z * z;
#endif
}

/// The same as where it runs.
struct SquareHere {
  WARPLOOM_HD float operator()(float x, float y, float z) const { return square_sum(x, y, z); }
};
/// As a device has it, on the host, too: for what both must find alike.
struct SquareOnDevice {
  WARPLOOM_HD float operator()(float x, float y, float z) const { return fmaf(z, z, fmaf(y, y, x * x)); }
};

/// 1 / sqrt(a) as each machine has it: the device's instruction, and on the host a root and a division.
WARPLOOM_HD float inverse_square_root(float a) {
#ifdef __CUDA_ARCH__
  return rsqrtf(a);
#else
  return 1 / std::sqrt(a);
#endif
}

/// The same by the bare instruction where there is one, in place of five: a few units in the last place off, and
/// numbers below the least normal one count as zero.
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
