#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// A sum of very many terms in floats: runs of few terms, and the runs added with compensation (kahan1965remark).
struct LongSum {
  float run = 0, sum = 0, lost = 0;
  /// Ends a run: at most 128 terms lie between two calls.
  WARPLOOM_HD void fold() {
    const float next = run - lost, total = sum + next;
    lost = (total - sum) - next;
    sum = total;
    run = 0;
  }
};
inline constexpr unsigned longest_run = 128;

}  // namespace warploom
