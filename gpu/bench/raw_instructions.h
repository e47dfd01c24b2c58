#pragma once
#include <cstdint>

#include "gpu/core/macros.h"

// Single instructions that no portable expression names. Only ceilings use them.

namespace warploom::bench {

#ifdef __CUDACC__
/// Sixteen bytes of shared memory. Volatile for the compiler and for the assembler, which keeps what it has read.
__device__ __forceinline__ void load_shared(std::uint32_t address, std::uint32_t (&to)[4]) {
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}
#endif

}  // namespace warploom::bench
