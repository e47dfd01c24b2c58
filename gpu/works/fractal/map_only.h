#pragma once
#include "gpu/works/work.h"

namespace warploom {

/// The map alone: every cell is folded into one word, the sum of x + 2^32 y modulo 2^64, and no state is touched.
struct MapOnly {
  static constexpr WorkInfo info{"map_only", "Map only", "maps, and folds every cell into one word", false, 0};

  template <class Storage>
  struct At {
    explicit At(const WorkArguments<Storage>&) {}
    WARPLOOM_HD std::uint64_t operator()(Cell cell) const { return cell.x + (std::uint64_t{cell.y} << 32); }
  };
};

}  // namespace warploom
