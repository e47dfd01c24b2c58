#pragma once
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// A thread solves a system: forward, and back. Source: thomas1949elliptic.
struct Thomas : SerialNetwork {
  static constexpr NetworkInfo info{"thomas", "Thomas", "a thread per system: elimination, and back",
                                    "thomas1949elliptic"};
  static constexpr int operands = 2;
  WARPLOOM_HD constexpr int stages() const { return 2 * ((1 << n) - 1); }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return (std::uint64_t{2} << n) - 2; }
  WARPLOOM_HD constexpr bool makes(int stage, std::uint32_t e) const { return e == made(stage); }
  WARPLOOM_HD constexpr std::uint32_t partner(int stage, std::uint32_t e, int k) const {
    if (stage < 1 << n) return k == 0 ? e - 1 : e;
    return k == 0 ? e : e + 1;
  }

 private:
  WARPLOOM_HD constexpr std::uint32_t made(int stage) const {
    const int forward = (1 << n) - 1;
    return static_cast<std::uint32_t>(stage <= forward ? stage : 2 * forward - stage);
  }
};

}  // namespace warploom
