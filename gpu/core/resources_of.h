#pragma once
#include <optional>

#include "gpu/core/kernel_resources.h"
#include "gpu/core/launch.h"

namespace warploom {

/// Of a launch of this program, with as many dynamic bytes as it says; nothing on the CPU. Throws Error for a CUDA
/// failure.
template <class Program>
std::optional<KernelResources> resources_of([[maybe_unused]] const Queue& queue,
                                            [[maybe_unused]] const Program& program,
                                            [[maybe_unused]] std::uint64_t threads) {
#ifdef __CUDACC__
  if constexpr (runs_on_devices<Program>)
    if (queue.backend() == Backend::cuda) {
      const OnDevice here(queue.device());
      const auto* kernel = reinterpret_cast<const void*>(&detail::run_program<Program>);
      const std::uint64_t dynamic = dynamic_shared_of(program);
      if constexpr (has_dynamic_shared<Program>) detail::open_dynamic_shared(kernel);
      cudaFuncAttributes attributes{};
      KernelResources found;
      WARPLOOM_CUDA(cudaFuncGetAttributes(&attributes, kernel));
      const int threads_there = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
                warp = device_attribute(cudaDevAttrWarpSize);
      WARPLOOM_CUDA(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found.blocks, kernel, static_cast<int>(threads), dynamic));
      found.registers = attributes.numRegs;
      found.local_bytes = attributes.localSizeBytes;
      found.shared_bytes = attributes.sharedSizeBytes + dynamic;
      found.warps = found.blocks * ((static_cast<int>(threads) + warp - 1) / warp);
      found.occupancy = static_cast<double>(found.warps) / (threads_there / warp);
      return found;
    }
#endif
  return std::nullopt;
}

}  // namespace warploom
