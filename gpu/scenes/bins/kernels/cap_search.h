#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace warploom {

/// What a cap costs, in milliseconds.
struct CapTime {
  std::uint32_t cap = 0;
  double gather = 0, spill = 0;
  bool given_up = false;  ///< it took so long that it was not finished: the spill took at least so long
  double total() const { return gather > spill ? gather : spill; }
};

/// 0, 1, 2, 3, 4, then by roots of two, the deepest.
std::vector<std::uint32_t> cap_ladder(std::uint32_t deepest);

/// The cap of least time, where the gather costs more and the spill less the larger it is. `measure` is asked 2 to 12
/// times: first for `deepest` (or the largest that fits), then for 0; what is to be given up after how many
/// milliseconds stands beside. `measured`: all of them, in that order; the answer is the cap of the least of them, the
/// larger of two as good. 0, which uses no bins, is the answer only where it is faster than all others by more than
/// 5 %, which is noise.
std::uint32_t search_cap(std::uint32_t deepest,
                         const std::function<CapTime(std::uint32_t cap, double give_up_after)>& measure,
                         std::vector<CapTime>& measured);

}  // namespace warploom
