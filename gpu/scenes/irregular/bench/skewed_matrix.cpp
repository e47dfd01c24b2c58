#include "gpu/scenes/irregular/bench/skewed_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace warploom::bench {

std::shared_ptr<const SpmvProblem> skewed_matrix(std::uint32_t rows, std::uint64_t nonzeros, double skew,
                                                 std::uint64_t seed) {
  std::vector<double> shares(rows);
  for (std::uint32_t k = 0; k < rows; ++k) shares[k] = std::pow(k + 1., -skew);
  const double all = std::reduce(shares.begin(), shares.end());
  // A row's rank: rows in the order of a hash.
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, {}, [&](std::uint32_t row) { return key_hash(seed, row); });

  auto problem = std::make_shared<SpmvProblem>();
  problem->seed = seed;
  SpmvMatrix& matrix = problem->matrix;
  matrix.name = "skewed";
  matrix.rows = matrix.columns = rows;
  matrix.row_starts.assign(rows + 1ull, 0);
  for (std::uint32_t k = 0; k < rows; ++k) {
    const double length = shares[k] / all * static_cast<double>(nonzeros);
    // Fractions become whole by chance, so that short rows are as many as they should be.
    const double chance = static_cast<double>(key_hash(seed + 1, k) >> 11) * 0x1p-53;
    matrix.row_starts[order[k] + 1ull] =
        static_cast<std::uint32_t>(std::min<double>(rows, std::floor(length + chance)));
  }
  for (std::uint32_t row = 0; row < rows; ++row) matrix.row_starts[row + 1] += matrix.row_starts[row];
  matrix.column_of.resize(matrix.row_starts[rows]);
  for (std::uint32_t row = 0; row < rows; ++row) {
    // A column in each of as many equal parts of the row: all different, and ascending.
    const std::uint64_t first = matrix.row_starts[row], length = matrix.length(row);
    for (std::uint64_t k = 0; k < length; ++k) {
      const std::uint64_t from = k * rows / length, to = (k + 1) * rows / length;
      const std::uint64_t drawn = key_hash(seed + 2, first + k) >> 32;
      matrix.column_of[first + k] = static_cast<std::int32_t>(from + (drawn * (to - from) >> 32));
    }
  }
  fill_spmv_values(matrix, seed, true);
  return problem;
}

}  // namespace warploom::bench
