#pragma once

// Before a loop over registers: a device must know each by its number. SOME: before a loop whose length is not known,
// so that several of its turns wait for memory at once.
#ifdef __CUDA_ARCH__
#define WARPLOOM_UNROLL _Pragma("unroll")
#define WARPLOOM_UNROLL_SOME _Pragma("unroll 9")
#else
#define WARPLOOM_UNROLL
#define WARPLOOM_UNROLL_SOME
#endif
