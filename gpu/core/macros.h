#pragma once
/// The one macro of the code base: a function that runs on the host and, where CUDA compiles, on the device.
#ifdef __CUDACC__
#define WARPLOOM_HD __host__ __device__ __forceinline__
#else
#define WARPLOOM_HD inline
#endif
