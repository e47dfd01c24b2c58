// How right the outputs of a track of sparse products are.
#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/core/pool.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

namespace {

/// How far y is from the row's sum in double: of exact ones 0 or 1, else the share of what rounding may do in any
/// order, gamma_k of the sum of |a x|, and, of numbers too small for a whole float, half a unit an operation.
double spmv_row_error(const SpmvMatrix& matrix, std::uint32_t row, const std::vector<float>& x, float y) {
  double sum = 0, size = 0;
  for (std::uint64_t j = matrix.row_starts[row]; j < matrix.row_starts[row + 1]; ++j) {
    const double term = static_cast<double>(matrix.values[j]) * x[static_cast<std::size_t>(matrix.column_of[j])];
    sum += term;
    size += std::abs(term);
  }
  if (matrix.exact()) return static_cast<double>(y) == sum ? 0 : 1;
  if (!std::isfinite(sum)) return std::isfinite(y) ? std::numeric_limits<double>::infinity() : 0;
  // A partial sum in float may overflow where that in double does not.
  if (!std::isfinite(y) && size > std::numeric_limits<float>::max()) return 0;
  const double operations = 2. * matrix.length(row), unit = 0x1p-24, k = matrix.length(row);
  const double apart = std::abs(static_cast<double>(y) - sum), allowed = k * unit / (1 - k * unit) * size;
  if (apart <= operations * 0x1p-150) return 0;
  return apart / allowed;  // infinite, or no number, where nothing is allowed
}

}  // namespace

std::vector<std::uint32_t> spmv_rows_judged(const SpmvMatrix& matrix, std::uint64_t step) {
  constexpr std::uint64_t most = 1u << 22;
  std::vector<std::uint32_t> rows;
  if (matrix.nonzeros() <= most) {
    rows.resize(matrix.rows);
    for (std::uint32_t row = 0; row < matrix.rows; ++row) rows[row] = row;
    return rows;
  }
  std::uint64_t nonzeros = 0;
  for (std::uint64_t i = 0; nonzeros < most && i < matrix.rows; ++i) {
    rows.push_back(static_cast<std::uint32_t>(key_hash(step, i) % matrix.rows));
    nonzeros += matrix.length(rows.back());
  }
  return rows;
}

Verdict SpmvTrack::verdict(Queue& queue, const Track&) {
  const bool exact = matrix().exact();
  Verdict verdict{"oracle", exact ? "bitwise" : "relative_sum", 0, 0, exact ? 0. : 1., std::nullopt};
  const std::vector<float> x = x_of(queue), y = y_of(queue);
  const auto rows = spmv_rows_judged(matrix(), steps_[states_.front()]);
  verdict.rows = rows.size();
  constexpr std::size_t chunk = 4096;
  std::vector<double> worst((rows.size() + chunk - 1) / chunk);
  const bool finished = queue.host_pool().run(
      worst.size(),
      [&](std::uint64_t at) {
        for (std::size_t i = at * chunk; i < rows.size() && i < (at + 1) * chunk; ++i) {
          const double error = spmv_row_error(matrix(), rows[i], x, y[rows[i]]);
          if (!(error <= worst[at])) worst[at] = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        }
      },
      queue.cancel);
  if (!finished) throw Cancelled();
  for (const double one : worst) verdict.error = std::max(verdict.error, one);
  return verdict;
}

std::optional<Cell> SpmvTrack::first_difference(Queue& queue, const Track& other) {
  const auto mine = y_of(queue), theirs = dynamic_cast<const SpmvTrack&>(other).y_of(queue);
  for (std::uint32_t row = 0; row < matrix().rows; ++row) {
    if (!matrix().exact() || mine[row] == theirs[row]) continue;
    const std::uint64_t first = matrix().row_starts[row];
    const bool empty = matrix().length(row) == 0;
    return Cell{empty ? 0 : static_cast<std::uint32_t>(matrix().column_of[first]), row, 0};
  }
  return std::nullopt;
}

}  // namespace warploom
