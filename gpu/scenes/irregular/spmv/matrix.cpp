#include "gpu/scenes/irregular/spmv/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/watched_work.h"
#include "gpu/files/matrix_market.h"
#include "gpu/scenes/irregular/spmv/recipes.h"
#include "gpu/scenes/irregular/spmv/spmv.h"

namespace warploom {

namespace {

/// Partial sums up to this are whole in float.
constexpr double most_exact_sum = 1 << 24;

/// The largest of 8, 4, 2, 1 for which `bound(A)` is exact; 0: none.
template <class Bound>
int largest_exact(Bound&& bound) {
  for (const int largest : {8, 4, 2, 1})
    if (bound(largest) <= most_exact_sum) return largest;
  return 0;
}

float matrix_value(std::uint64_t stream, std::uint64_t row, std::uint64_t column, int largest) {
  const std::uint64_t v = key_hash(stream, row << 32 | column);
  if (largest == 0) return static_cast<float>(static_cast<std::int64_t>(v >> 40) - (1 << 23)) * 0x1p-23f;
  const std::uint64_t size = 1 + ((v & 0xffffffff) * static_cast<std::uint64_t>(largest) >> 32);
  return v >> 63 ? -static_cast<float>(size) : static_cast<float>(size);
}

/// What is known of a matrix whose places are there.
void measure_matrix(SpmvMatrix& matrix) {
  std::vector<bool> diagonals(std::uint64_t{matrix.rows} + matrix.columns);
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    if (row % 65536 == 0) tell_spmv(.55);
    matrix.longest = std::max(matrix.longest, matrix.length(row));
    matrix.empty_rows += matrix.length(row) == 0;
    for (std::uint64_t j = matrix.row_starts[row]; j < matrix.row_starts[row + 1]; ++j) {
      auto diagonal = diagonals[static_cast<std::size_t>(matrix.column_of[j]) + matrix.rows - 1 - row];
      matrix.diagonals += !diagonal;
      diagonal = true;
    }
  }
}

/// A number that the host has no room for is refused before it is made.
void check_matrix_room(const std::string& what, double entries, double bytes_each) {
  const double needed = entries * bytes_each, free = static_cast<double>(free_bytes(Backend::cpu));
  if (needed <= free) return;
  throw UsageError(fmt::format("{}: its {} nonzeros need {} of memory to be made, {} free; choose a smaller n", what,
                               short_count(static_cast<unsigned long long>(entries)), bytes_text(needed),
                               bytes_text(free)));
}

void make_matrix_of(SpmvMatrix& matrix, const SpmvRecipe& recipe, const IrregularSettings& settings) {
  const std::uint64_t n = spmv_size(recipe, settings);
  const double entries = recipe.entries(n);
  check_matrix_room("matrix " + matrix.name, entries, 8);
  matrix.rows = matrix.columns = static_cast<std::uint32_t>(recipe.rows(n));
  matrix.column_of.reserve(static_cast<std::size_t>(entries));
  {
    const PartOfWork part(0, .55);
    recipe.fill(matrix, n, key_hash(settings.seed, 0));
  }
  fill_spmv_values(matrix, settings.seed, settings.values != "real");
}

void read_matrix_file(SpmvMatrix& matrix, const IrregularSettings& settings) {
  const MatrixEntries read = [&] {
    const PartOfWork part(0, .8);
    return read_matrix_market(settings.folder / settings.matrix);
  }();
  if (read.entries.size() >> 32)
    throw FileError(fmt::format("{}: {} nonzeros; at most {} are taken", read.name, grouped(read.entries.size()),
                                grouped(0xffffffff)));
  // Rows may be many more than the file has entries.
  const double needed = 8. * static_cast<double>(read.entries.size()) + 4. * static_cast<double>(read.rows),
               free = static_cast<double>(free_bytes(Backend::cpu));
  if (needed > free)
    throw FileError(fmt::format("{}: its {} rows and {} nonzeros need {} of memory, {} free", read.name,
                                grouped(read.rows), grouped(read.entries.size()), bytes_text(needed),
                                bytes_text(free)));
  matrix.name = read.name;
  matrix.rows = static_cast<std::uint32_t>(read.rows);
  matrix.columns = static_cast<std::uint32_t>(read.columns);
  matrix.merged = read.merged;
  matrix.row_starts.assign(matrix.rows + 1ull, 0);
  matrix.column_of.reserve(read.entries.size());
  matrix.values.reserve(read.entries.size());
  bool whole = true;
  double largest_sum = 0, sum = 0;
  std::uint32_t row = 0;
  for (const MatrixEntry& entry : read.entries) {
    ++matrix.row_starts[entry.row + 1];
    matrix.column_of.push_back(static_cast<std::int32_t>(entry.column));
    matrix.values.push_back(static_cast<float>(entry.value));
    const double size = std::abs(entry.value);
    whole = whole && size <= most_exact_sum && size == std::floor(size);
    sum = entry.row == row ? sum + size : size;
    row = entry.row;
    largest_sum = std::max(largest_sum, sum);
  }
  for (std::uint32_t r = 0; r < matrix.rows; ++r) matrix.row_starts[r + 1] += matrix.row_starts[r];
  measure_matrix(matrix);
  if (settings.values != "real" && whole) matrix.largest_x = largest_exact([&](int a) { return a * largest_sum; });
}

}  // namespace

void fill_spmv_values(SpmvMatrix& matrix, std::uint64_t seed, bool whole) {
  measure_matrix(matrix);
  if (whole) matrix.largest_x = largest_exact([&](int a) { return static_cast<double>(a) * a * matrix.longest; });
  matrix.values.resize(matrix.nonzeros());
  const std::uint64_t stream = key_hash(seed, 1);
  for (std::uint32_t row = 0; row < matrix.rows; ++row) {
    if (row % 65536 == 0) tell_spmv(.6 + .4 * static_cast<double>(row) / matrix.rows);
    for (std::uint64_t j = matrix.row_starts[row]; j < matrix.row_starts[row + 1]; ++j)
      matrix.values[j] = matrix_value(stream, row, static_cast<std::uint64_t>(matrix.column_of[j]), matrix.largest_x);
  }
}

std::uint64_t spmv_size(const SpmvRecipe& recipe, const IrregularSettings& settings) {
  return static_cast<std::uint64_t>(settings.n ? settings.n : recipe.usual);
}

std::shared_ptr<const SpmvProblem> make_spmv_problem(const IrregularSettings& settings) {
  check_spmv(settings, {});
  auto problem = std::make_shared<SpmvProblem>();
  problem->seed = settings.seed;
  problem->matrix.name = settings.matrix;
  if (const SpmvRecipe* recipe = find_spmv_recipe(settings.matrix))
    make_matrix_of(problem->matrix, *recipe, settings);
  else
    read_matrix_file(problem->matrix, settings);
  return problem;
}

}  // namespace warploom
