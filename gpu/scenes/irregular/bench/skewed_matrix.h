#pragma once
#include <cstdint>
#include <memory>

#include "gpu/scenes/irregular/spmv/matrix.h"

namespace warploom::bench {

/// A square matrix whose rows are of very unequal lengths: the k-th longest has a share of about k^-skew of `nonzeros`
/// (a row holds no more than it has columns), in an order drawn from the seed. Skew 0: all are of one length.
std::shared_ptr<const SpmvProblem> skewed_matrix(std::uint32_t rows, std::uint64_t nonzeros, double skew,
                                                 std::uint64_t seed);

}  // namespace warploom::bench
