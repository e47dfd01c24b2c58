#pragma once
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/works/serial.h"

namespace warploom {

/// The sum over all members: integers, so exact, and equal under every map.
struct Reduction {
  static constexpr WorkInfo info{"reduction", "Reduction", "the sum over all cells", false, 1};

  static constexpr bool folds_state = true;
  static std::uint64_t serial(const SerialCell& cell) { return cell.alive(cell.x, cell.y); }

  template <class Storage>
  struct At {
    Storage in;
    explicit At(const WorkArguments<Storage>& with) : in(with.in) {}
    WARPLOOM_HD std::uint64_t operator()(Cell cell) const { return in.load(cell); }
  };
};

}  // namespace warploom
