#pragma once

// Before a loop over registers: a device must know each by its number.
#ifdef __CUDA_ARCH__
#define WARPLOOM_UNROLL _Pragma("unroll")
#else
#define WARPLOOM_UNROLL
#endif
