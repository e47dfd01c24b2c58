#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"

namespace warploom {

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
