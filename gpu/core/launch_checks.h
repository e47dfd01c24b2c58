#pragma once
#include <cstdint>

#include "gpu/core/program.h"
#include "gpu/core/queue.h"
#include "gpu/core/types.h"

// What a launch asks before it starts: compiled once, not for each kernel.

namespace warploom::detail {

/// What a program says of its launches (program.h).
struct LaunchLimits {
  unsigned most_threads, exact_threads;  ///< of a block; exact: 0 where there may be any number
  bool rows_of_warps, gangs;
};
template <class Program>
constexpr LaunchLimits launch_limits_of() {
  return {most_threads_of<Program>(), exact_threads_of<Program>(), rows_of_warps<Program>, may_gang<Program>};
}

/// Throws UsageError for a shape outside them, Cancelled where the queue was cancelled.
void check_launch(const char* kernel, const Queue& queue, const LaunchShape& shape, const LaunchLimits& limits);

/// Throws UsageError: more blocks that wait for each other than are resident at once.
void check_resident(const char* kernel, std::uint64_t blocks, std::uint32_t resident);

/// Whether a grid is past a device's limits, and what it is launched as. Throws UsageError where that is too large.
bool folded_on_device(const Index3& blocks, Index3& grid);

/// Throws UsageError: a grid that does not fit, of a program that promised that all do.
[[noreturn]] void refuse_grid(const char* kernel, const Index3& blocks);
/// Throws UsageError: a block, or a gang of several, takes more bytes of shared memory than the device has for it.
[[noreturn]] void refuse_shared_memory(const char* kernel, std::uint32_t gang, std::uint64_t bytes, std::uint64_t most);
/// Throws Error: a program is launched where it is not compiled for.
[[noreturn]] void refuse_backend(const char* kernel, Backend backend);

}  // namespace warploom::detail
