#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/hash.h"
#include "gpu/scenes/irregular/irregular.h"

namespace warploom {

/// In place of a nonzero: there is none.
inline constexpr std::uint64_t no_nonzero = ~std::uint64_t{0};

/// A sparse matrix on the host: nonzeros row by row, in each row by ascending column; equal places are one. Const once
/// it is made.
struct SpmvMatrix {
  std::string name;  ///< a recipe, or a file without its folder
  std::uint32_t rows = 0, columns = 0;
  std::vector<std::uint32_t> row_starts;  ///< (rows + 1)
  std::vector<std::int32_t> column_of;    ///< (nonzeros)
  std::vector<float> values;              ///< (nonzeros)

  std::uint64_t merged = 0;      ///< entries that shared a place with an earlier one
  std::uint32_t longest = 0;     ///< nonzeros of the longest row
  std::uint32_t empty_rows = 0;  ///< rows without a nonzero
  std::uint64_t diagonals = 0;   ///< that have a nonzero
  int largest_x = 0;             ///< A: x is whole, of -A to A, and every partial sum exact; 0: x is real

  std::uint64_t nonzeros() const { return column_of.size(); }
  bool exact() const { return largest_x > 0; }
  std::uint32_t length(std::uint32_t row) const { return row_starts[row + 1] - row_starts[row]; }
  /// Rows rounded up to whole warps: the height of padded arrays.
  std::uint64_t padded_rows() const { return (std::uint64_t{rows} + 31) / 32 * 32; }
  /// Nonzeros of the longest of some rows, those past the last left out.
  std::uint32_t longest_of(std::uint64_t first, std::uint64_t count) const {
    std::uint32_t most = 0;
    for (std::uint64_t row = first; row < first + count && row < rows; ++row)
      most = std::max(most, length(static_cast<std::uint32_t>(row)));
    return most;
  }
  /// The k-th nonzero of a row, else no_nonzero; the row may lie outside.
  std::uint64_t in_row(std::uint64_t row, std::uint64_t k) const {
    return row < rows && k < length(static_cast<std::uint32_t>(row)) ? row_starts[row] + k : no_nonzero;
  }
  /// The row of a nonzero: a binary search.
  std::uint32_t row_of(std::uint64_t nonzero) const {
    const auto after = std::upper_bound(row_starts.begin(), row_starts.end(), nonzero);
    return static_cast<std::uint32_t>(after - row_starts.begin() - 1);
  }
  /// The nonzero at a place; none: the matrix is zero there, or the place lies outside.
  std::optional<std::uint64_t> find(std::uint64_t column, std::uint64_t row) const {
    if (row >= rows || column >= columns) return std::nullopt;
    const auto first = column_of.begin() + row_starts[row], last = column_of.begin() + row_starts[row + 1];
    const auto at = std::lower_bound(first, last, static_cast<std::int32_t>(column));
    if (at == last || *at != static_cast<std::int32_t>(column)) return std::nullopt;
    return static_cast<std::uint64_t>(at - column_of.begin());
  }
};

/// Bytes of a format, in closed form, before anything is made.
struct SpmvBytes {
  std::string track;
  double bytes = 0, index = 0;  ///< of them, those of index arrays
};

/// What the tracks of a run share.
struct SpmvProblem final : IrregularProblem {
  SpmvMatrix matrix;
  std::uint64_t seed = 7;

  /// What has been found out of formats, by track and settings (spmv_bytes).
  mutable std::mutex known_mutex;
  mutable std::map<std::string, SpmvBytes> known;
};

/// x of step k, on the host and in kernels alike [steele2014splitmix].
struct SpmvVector {
  std::uint64_t stream = 0, step = 0;  ///< stream 2 of the seed
  int largest = 0;                     ///< A; 0: real
  WARPLOOM_HD float at(std::uint64_t column) const {
    const std::uint64_t v = key_hash(stream, column + (step << 32));
    if (largest == 0) return static_cast<float>(static_cast<std::int64_t>(v >> 40) - (1 << 23)) * 0x1p-23f;
    const std::uint64_t choices = 2 * static_cast<std::uint64_t>(largest) + 1;
    return static_cast<float>(static_cast<std::int64_t>((v & 0xffffffff) * choices >> 32) - largest);
  }
};
inline SpmvVector spmv_vector(const SpmvProblem& problem, std::uint64_t step) {
  return {key_hash(problem.seed, 2), step, problem.matrix.largest_x};
}

/// Measures a matrix whose places are there, and draws its values (stream 1 of the seed): whole ones where `whole` and
/// every partial sum is exact, else real ones. Tells how far it is (PartOfWork), and can be cancelled.
void fill_spmv_values(SpmvMatrix& matrix, std::uint64_t seed, bool whole);

/// Makes the matrix of a recipe, or reads that of a .mtx file. Tells how far it is (PartOfWork), and can be cancelled.
/// Throws UsageError for sizes that do not go, FileError for what a file does wrong.
std::shared_ptr<const SpmvProblem> make_spmv_problem(const IrregularSettings& settings);

}  // namespace warploom
