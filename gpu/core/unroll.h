#pragma once

// Before a loop over registers: a device must know each by its number. SOME: before a loop whose length is not known,
// so that several of its turns wait for memory at once. NONE: before one whose turns are long.
#ifdef __CUDA_ARCH__
#define WARPLOOM_UNROLL _Pragma("unroll")
#define WARPLOOM_UNROLL_SOME _Pragma("unroll 9")
#define WARPLOOM_UNROLL_NONE _Pragma("unroll 1")
#else
#define WARPLOOM_UNROLL
#define WARPLOOM_UNROLL_SOME
#define WARPLOOM_UNROLL_NONE
#endif

// Within a branch that no thread or every thread takes: a device's compiler keeps it a branch. Else it would make both
// sides, and select every value.
#ifdef __CUDA_ARCH__
#define WARPLOOM_KEEP_BRANCH asm volatile("");
#else
#define WARPLOOM_KEEP_BRANCH
#endif
