#pragma once
#include <chrono>
#include <cstdint>

#include "gpu/core/checked_memory.h"
#include "gpu/core/macros.h"
#include "gpu/core/thread.h"

namespace warploom {

/// For what happens within one block: cycles of its multiprocessor on a device, nanoseconds on the CPU.
WARPLOOM_HOST_CALLS
WARPLOOM_HD std::uint64_t block_clock() {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint64_t>(clock64());
#else
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
#endif
}

/// A program that may tell how long each of its blocks took, from its first thread's first look at the clock to where
/// the last one arrives. The clock is read where `times` are asked for: one kernel serves both, and what a look costs
/// beside the program itself is to be said with its figures.
template <class Program>
struct TimedBlocks : Program {
  std::uint64_t* times = nullptr;  ///< (blocks), in launch order; null: untold

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    begin(group);
    Program::operator()(group);
    end(group);
  }
  template <class Group, class Shared>
  WARPLOOM_HD void operator()(Group& group, Shared& shared) const {
    begin(group);
    Program::operator()(group, shared);
    end(group);
  }

 private:
  // The time of the begin waits in memory: a register that is held meanwhile would cost every block.
  template <class Group>
  WARPLOOM_HD void begin(Group& group) const {
    if (times) group.once([&] { times[group.block_number()] = block_clock(); });
  }
  template <class Group>
  WARPLOOM_HD void end(Group& group) const {
    if (!times) return;
    group.barrier();
    group.once([&] { times[group.block_number()] = block_clock() - times[group.block_number()]; });
  }
};

}  // namespace warploom
