#include "gpu/core/device.h"

#include "gpu/core/devices.h"

#if WARPLOOM_WITH_CUDA
#include <cuda_runtime.h>
#endif

namespace warploom {

void OnDevice::choose(Device device) noexcept {
  numbers_[static_cast<std::size_t>(device.backend)] = device.number;
#if WARPLOOM_WITH_CUDA
  if (device.backend == Backend::cuda && cudaSetDevice(cuda_ordinal(device)) != cudaSuccess) (void)cudaGetLastError();
#endif
}

}  // namespace warploom
