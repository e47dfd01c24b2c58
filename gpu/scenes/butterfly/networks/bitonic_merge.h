#pragma once
#include "gpu/scenes/butterfly/networks/bitonic.h"

namespace warploom {

struct MergeStages : InPlaceNetwork {
  WARPLOOM_HD constexpr int stages() const { return n; }
  WARPLOOM_HD constexpr int compared(int number) const { return n + 1 - number; }
};

/// The last merge of a bitonic sort alone: digits n to 1, all ascending. Source: batcher1968sorting.
struct BitonicMerge : DigitComparators<MergeStages> {
  WARPLOOM_HD constexpr bool takes_minimum(int number, std::uint32_t e) const { return !(e & half(number)); }
};

}  // namespace warploom
