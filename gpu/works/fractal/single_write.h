#pragma once
#include "gpu/works/work.h"

namespace warploom {

/// A constant to every member: what placing threads costs when they do next to nothing.
struct SingleWrite {
  static constexpr WorkInfo info{"single_write", "Single write", "a constant to every cell", true, 1};

  template <class Storage>
  struct At {
    Storage out;
    explicit At(const WorkArguments<Storage>& with) : out(with.out) {}
    WARPLOOM_HD void operator()(Cell cell) const { out.store(cell, 1); }
  };
};

}  // namespace warploom
