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

/// A program that tells how long each of its blocks took, from its first thread's first look at the clock to where the
/// last one arrives. A variant for looking: what it costs beside the program itself is to be said with its figures.
template <class Program>
struct TimedBlocks : Program {
  std::uint64_t* times;  ///< (blocks), in launch order

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    timed(group, [&] { Program::operator()(group); });
  }
  template <class Group, class Shared>
  WARPLOOM_HD void operator()(Group& group, Shared& shared) const {
    timed(group, [&] { Program::operator()(group, shared); });
  }

 private:
  template <class Group, class Body>
  WARPLOOM_HD void timed(Group& group, Body&& body) const {
    typename Group::template PerLane<std::uint64_t> begin;
    group.each([&](const Thread& thread) { begin[thread] = thread.index == 0 ? block_clock() : 0; });
    body();
    group.barrier();
    group.each([&](const Thread& thread) {
      if (thread.index == 0) times[group.block_number()] = block_clock() - begin[thread];
    });
  }
};

}  // namespace warploom
