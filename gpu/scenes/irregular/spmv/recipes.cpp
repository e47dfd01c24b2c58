#include "gpu/scenes/irregular/spmv/recipes.h"

#include <algorithm>
#include <array>
#include <bit>

#include "gpu/core/hash.h"
#include "gpu/core/watched_work.h"
#include "gpu/scenes/irregular/streams.h"

namespace warploom {

void tell_spmv(double share) {
  WatchedWork::reached(share);
  WatchedWork::go_on();
}

namespace {

/// Rows one after another: `row(r, add)` adds the columns of row r in any order, equal ones too.
template <class Row>
void fill_matrix_rows(SpmvMatrix& matrix, Row&& row) {
  matrix.row_starts.assign(matrix.rows + 1ull, 0);
  std::vector<std::int32_t> columns;
  for (std::uint32_t r = 0; r < matrix.rows; ++r) {
    if (r % 65536 == 0) tell_spmv(static_cast<double>(r) / matrix.rows);
    columns.clear();
    row(r, [&](std::uint64_t column) { columns.push_back(static_cast<std::int32_t>(column)); });
    std::sort(columns.begin(), columns.end());
    const auto last = std::unique(columns.begin(), columns.end());
    matrix.merged += static_cast<std::uint64_t>(columns.end() - last);
    matrix.column_of.insert(matrix.column_of.end(), columns.begin(), last);
    matrix.row_starts[r + 1] = static_cast<std::uint32_t>(matrix.column_of.size());
  }
}

/// The four neighbours in a grid, and itself.
template <class Add>
void add_stencil5(std::uint64_t n, std::uint64_t q, Add&& add) {
  const std::uint64_t x = q % n, y = q / n;
  if (y > 0) add(q - n);
  if (x > 0) add(q - 1);
  add(q);
  if (x + 1 < n) add(q + 1);
  if (y + 1 < n) add(q + n);
}

void stencil5(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t) {
  fill_matrix_rows(matrix, [&](std::uint64_t q, auto&& add) { add_stencil5(n, q, add); });
}

void stencil27(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t) {
  fill_matrix_rows(matrix, [&](std::uint64_t q, auto&& add) {
    const std::uint64_t x = q % n, y = q / n % n, z = q / n / n;
    const auto low = [](std::uint64_t at) { return at > 0 ? at - 1 : 0; };
    const auto high = [&](std::uint64_t at) { return std::min(at + 1, n - 1); };
    for (std::uint64_t c = low(z); c <= high(z); ++c)
      for (std::uint64_t b = low(y); b <= high(y); ++b)
        for (std::uint64_t a = low(x); a <= high(x); ++a) add((c * n + b) * n + a);
  });
}

void fem(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t stream) {
  // Whether the diagonal of the square right and below of a node goes from its right to its lower neighbour.
  const auto turned = [&](std::uint64_t q) { return key_hash(stream, q) >> 63 != 0; };
  fill_matrix_rows(matrix, [&](std::uint64_t row, auto&& add) {
    const std::uint64_t q = row / 3, x = q % n, y = q / n;
    const auto node = [&](std::uint64_t other) {
      for (std::uint64_t i = 0; i < 3; ++i) add(3 * other + i);
    };
    add_stencil5(n, q, node);
    const bool left = x > 0, right = x + 1 < n, above = y > 0, below = y + 1 < n;
    if (right && below && !turned(q)) node(q + n + 1);
    if (left && above && !turned(q - n - 1)) node(q - n - 1);
    if (left && below && turned(q - 1)) node(q + n - 1);
    if (right && above && turned(q - n)) node(q - n + 1);
  });
}

void circuit(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t stream) {
  std::array<std::uint64_t, 8> hubs;
  for (std::uint64_t j = 0; j < hubs.size(); ++j) hubs[j] = (2 * j + 1) * n * n / 16;
  const auto linked = [&](std::uint64_t q, std::uint64_t j) { return (key_hash(stream, q) >> 3 * j & 7) == 0; };
  fill_matrix_rows(matrix, [&](std::uint64_t row, auto&& add) {
    add_stencil5(n, row, add);
    for (std::uint64_t j = 0; j < hubs.size(); ++j) {
      if (linked(row, j)) add(hubs[j]);
      if (hubs[j] != row) continue;
      for (std::uint64_t q = 0; q < n * n; ++q)
        if (linked(q, j)) add(q);
    }
  });
}

struct SpmvPair {
  std::uint64_t row, column;
};

/// 16 n pairs, pair(e): drawn once to count those of each row, and once more to put them there.
template <class PairOf>
void fill_matrix_pairs(SpmvMatrix& matrix, std::uint64_t n, PairOf&& pair) {
  const std::uint64_t pairs = 16 * n;
  const auto each = [&](double from, double to, auto&& body) {
    for (std::uint64_t e = 0; e < pairs; ++e) {
      if (e % 65536 == 0) tell_spmv(from + (to - from) * static_cast<double>(e) / static_cast<double>(pairs));
      body(pair(e));
    }
  };
  std::vector<std::uint32_t> next(n + 1);
  each(0, .3, [&](const SpmvPair& one) { ++next[one.row + 1]; });
  for (std::uint64_t row = 0; row < n; ++row) next[row + 1] += next[row];
  auto& columns = matrix.column_of;
  columns.resize(pairs);
  each(.3, .6, [&](const SpmvPair& one) { columns[next[one.row]++] = static_cast<std::int32_t>(one.column); });
  // next[row] is where a row ends now. Rows move up over what they have twice.
  matrix.row_starts.assign(n + 1, 0);
  auto end = columns.begin(), first = end;
  for (std::uint64_t row = 0; row < n; ++row) {
    if (row % 4096 == 0) tell_spmv(.6 + .4 * static_cast<double>(row) / static_cast<double>(n));
    const auto last = columns.begin() + next[row];
    std::sort(first, last);
    const auto once = std::unique(first, last);
    end = end == first ? once : std::move(first, once, end);
    first = last;
    matrix.row_starts[row + 1] = static_cast<std::uint32_t>(end - columns.begin());
  }
  columns.erase(end, columns.end());
  matrix.merged = pairs - columns.size();
}

void random_pairs(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t stream) {
  fill_matrix_pairs(matrix, n, [&](std::uint64_t e) {
    const std::uint64_t v = key_hash(stream, e);
    const auto rows = static_cast<std::uint32_t>(n);
    return SpmvPair{below(v >> 32, rows), below(v, rows)};
  });
}

/// A recursive matrix of unequal quarters [chakrabarti2004rmat].
void rmat(SpmvMatrix& matrix, std::uint64_t n, std::uint64_t stream) {
  const unsigned levels = static_cast<unsigned>(std::countr_zero(n));
  fill_matrix_pairs(matrix, n, [&](std::uint64_t e) {
    std::uint64_t row = 0, column = 0, bits = 0;
    for (unsigned level = 0; level < levels; ++level, bits >>= 16) {
      if (level % 4 == 0) bits = key_hash(stream, e + (std::uint64_t{level / 4} << 40));
      const auto f = static_cast<std::uint32_t>(bits & 0xffff);
      row = 2 * row + (f >= 49807);
      column = 2 * column + ((f >= 37356 && f < 49807) || f >= 62259);
    }
    return SpmvPair{row, column};
  });
}

std::uint64_t spmv_squared(std::uint64_t n) { return n * n; }

}  // namespace

const std::vector<SpmvRecipe>& spmv_recipes() {
  static const std::vector<SpmvRecipe> all{
      {"stencil5", 64, 4096, spmv_squared, [](std::uint64_t n) { return 5. * double(n) * double(n); }, stencil5},
      {"stencil27", 16, 512, [](std::uint64_t n) { return n * n * n; },
       [](std::uint64_t n) { return 27. * double(n) * double(n) * double(n); }, stencil27},
      {"fem", 32, 2048, [](std::uint64_t n) { return 3 * n * n; },
       [](std::uint64_t n) { return 63. * double(n) * double(n); }, fem},
      {"circuit", 64, 4096, spmv_squared, [](std::uint64_t n) { return 7. * double(n) * double(n); }, circuit},
      {"random", 4096, 1 << 22, [](std::uint64_t n) { return n; }, [](std::uint64_t n) { return 16. * double(n); },
       random_pairs},
      {"rmat", 4096, 1 << 22, [](std::uint64_t n) { return n; }, [](std::uint64_t n) { return 16. * double(n); }, rmat},
  };
  return all;
}

const SpmvRecipe* find_spmv_recipe(const std::string& name) {
  for (const SpmvRecipe& recipe : spmv_recipes())
    if (name == recipe.key) return &recipe;
  return nullptr;
}

}  // namespace warploom
