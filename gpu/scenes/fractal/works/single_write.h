#pragma once
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/mask.h"
#include "gpu/scenes/fractal/works/serial.h"

namespace warploom {

/// A constant to every member: what placing threads costs when they do next to nothing.
struct SingleWrite {
  static constexpr WorkInfo info{"single_write", "Single write", "a constant to every cell", true, 1};

  static std::uint64_t serial(const SerialCell&) { return 1; }
  /// The number of cells: right only if all are written.
  static std::uint64_t total(const Mask& mask, int level) {
    std::uint64_t cells = 1;
    for (int i = 0; i < level; ++i) cells *= mask.copies();
    return cells;
  }

  template <class Storage>
  struct At {
    Storage out;
    explicit At(const WorkArguments<Storage>& with) : out(with.out) {}
    WARPLOOM_HD void operator()(Cell cell) const { out.store(cell, 1); }
  };
};

}  // namespace warploom
