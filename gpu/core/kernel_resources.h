#pragma once
#include <cstdint>

namespace warploom {

/// What a kernel takes of a multiprocessor, as the device's own calculator has it.
struct KernelResources {
  int registers = 0;               ///< of a thread
  std::uint64_t local_bytes = 0;   ///< of a thread: registers that did not suffice
  std::uint64_t shared_bytes = 0;  ///< of a block
  int blocks = 0, warps = 0;       ///< of a multiprocessor
  double occupancy = 0;            ///< warps there can be, of those that a multiprocessor has room for
};

}  // namespace warploom
