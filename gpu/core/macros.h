#pragma once
/// A function that runs on the host and, where CUDA compiles, on the device.
#ifdef __CUDACC__
#define WARPLOOM_HD __host__ __device__ __forceinline__
#define WARPLOOM_HD_FLAT WARPLOOM_HD
/// ... that never is a part of who calls it: large code that many would take in.
#define WARPLOOM_HD_APART __host__ __device__ __noinline__ inline
#else
#define WARPLOOM_HD inline
#define WARPLOOM_HD_APART __attribute__((noinline)) inline
/// ... that is always a part of who calls it: code of one kind of processor takes it in.
#define WARPLOOM_HD_FLAT __attribute__((always_inline)) inline
#endif

/// What holds here, said to the compiler; builds that look for undefined behaviour stop where it does not.
#define WARPLOOM_ASSUME(holds)             \
  do {                                     \
    if (!(holds)) __builtin_unreachable(); \
  } while (false)

/// Before a host-device function that is run on the host alone: nvcc does not follow its calls.
#ifdef __CUDACC__
#define WARPLOOM_HOST_CALLS _Pragma("nv_exec_check_disable")
#else
#define WARPLOOM_HOST_CALLS
#endif

namespace warploom {

/// Whether a compiler makes code for devices of this source, besides that for the host.
#ifdef __CUDACC__
inline constexpr bool compiled_for_devices = true;
#else
inline constexpr bool compiled_for_devices = false;
#endif

/// Whether this is a device: where branches cost more than what they save.
WARPLOOM_HD constexpr bool on_device() {
#ifdef __CUDA_ARCH__
  return true;
#else
  return false;
#endif
}

}  // namespace warploom
