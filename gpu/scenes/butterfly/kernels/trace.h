#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/core/types.h"

// What an instrumented kernel tells of itself: the code is that of the timed one.
namespace warploom {

/// Of the timed kernel: nothing is told.
struct NoTrace {
  static constexpr bool on = false;
  WARPLOOM_HD static constexpr bool tells() { return false; }
  template <class... Told>
  WARPLOOM_HD void step(Told...) const {}
  template <class... Told>
  WARPLOOM_HD void access(Told...) const {}
};

/// Values of the first problems after each stage, and every access to shared memory of block 0.
template <class Step>
struct StageTrace {
  static constexpr bool on = true;
  Step* steps = nullptr;       ///< (stages + 1, problems, N)
  std::uint64_t problems = 0;  ///< that are traced
  std::uint32_t elements = 0;  ///< N
  /// (instructions, threads, 2): byte and slot; -1 before. Null: accesses are not told.
  std::int32_t* accesses = nullptr;
  std::uint32_t threads = 0;  ///< of a block

  /// Whether it was made to tell.
  WARPLOOM_HD bool tells() const { return steps != nullptr; }
  WARPLOOM_HD void step(int stage, std::uint64_t problem, std::uint32_t e, const Step& value) const {
    if (problem < problems) steps[(static_cast<std::uint64_t>(stage) * problems + problem) * elements + e] = value;
  }
  WARPLOOM_HD void access(std::uint64_t block, std::uint32_t instruction, std::uint32_t thread, std::uint32_t byte,
                          std::uint32_t slot) const {
    if (!accesses || block != 0) return;
    std::int32_t* to = accesses + (std::uint64_t{instruction} * threads + thread) * 2;
    to[0] = static_cast<std::int32_t>(byte);
    to[1] = static_cast<std::int32_t>(slot);
  }
};

/// How the accesses of a stage are numbered: first those that write, then those that read.
struct AccessNumbers {
  std::uint32_t writes = 0, reads = 0;  ///< of a stage
  WARPLOOM_HD std::uint32_t write(int stage, std::uint32_t i) const {
    return static_cast<std::uint32_t>(stage - 1) * (writes + reads) + i;
  }
  WARPLOOM_HD std::uint32_t read(int stage, std::uint32_t i) const { return write(stage, writes + i); }
};

}  // namespace warploom
