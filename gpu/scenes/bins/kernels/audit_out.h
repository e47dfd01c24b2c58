#pragma once
#include <cstdint>

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
};

}  // namespace warploom
