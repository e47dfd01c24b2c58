#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/rounded.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/kernels/network.h"

// What blocks of elements that stay are made of.
namespace warploom {

/// Stages of a network.
struct StageSet {
  std::uint64_t bits[2] = {0, 0};
  WARPLOOM_HD bool has(int stage) const { return bits[stage / 64] >> (stage % 64) & 1; }
  WARPLOOM_HD void add(int stage) { bits[stage / 64] |= std::uint64_t{1} << (stage % 64); }
  WARPLOOM_HD bool none() const { return !(bits[0] | bits[1]); }
};

/// Where operands that are shuffled come from: of every stage a number of four bits for each register and operand, 15:
/// no lane of its warp fetches it. The same in all threads.
struct ShuffleSources {
  static constexpr int most = 128;
  static constexpr std::uint32_t none = 15;
  std::uint64_t of_stage[most] = {};
  WARPLOOM_HD std::uint32_t item(int stage, int which) const {
    return static_cast<std::uint32_t>(of_stage[stage] >> (4 * which) & 15);
  }
};
struct NoShuffleSources {};

/// The earliest stage, and its smallest row, that divides by 0 is what stays.
WARPLOOM_HD void note_zero(std::uint64_t* of_problem, int stage, const ZeroPivot& zero) {
  if (of_problem && zero.row != no_element)
    atomic_minimum(of_problem, static_cast<std::uint64_t>(stage) << 32 | zero.row);
}

/// A value of an array in registers, by a number that is known when it runs.
template <int most, class Value>
WARPLOOM_HD Value picked(const Value (&values)[most], std::uint32_t which) {
  if (!on_device()) return values[which];
  Value value = values[0];
  WARPLOOM_UNROLL
  for (int i = 1; i < most; ++i)
    if (which == static_cast<std::uint32_t>(i)) value = values[i];
  return value;
}

}  // namespace warploom
