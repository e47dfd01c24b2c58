#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
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

/// Sums of an audit, as they lie in memory.
struct AuditTotals {
  std::uint64_t pairs_tested, index_reads, padding_read;
};

struct AuditOut {
  std::uint32_t* hits;   ///< elements in reach of each output: added to
  std::uint64_t* tests;  ///< pairs of each block, in launch order
  double* sizes;         ///< (outputs, components): sums of terms' magnitudes, added to
  AuditTotals* totals;   ///< 0 before

  /// The pairs that each thread of a block tested.
  template <class Group, class Tested>
  WARPLOOM_HD void add_tests(Group& group, Tested& tested) const {
    group.sum_once(tested, [&](std::uint64_t sum) {
      tests[group.block_number()] = sum;
      atomic_add(&totals->pairs_tested, sum);
    });
  }
};

}  // namespace warploom
