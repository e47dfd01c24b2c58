#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gpu/scenes/butterfly/kernels/equation.h"
#include "tests/scenes/butterfly/run.h"

// Networks that solve tridiagonal systems, against elimination from above.

namespace warploom {
namespace {

using Row = Equation<double>;
using Block = BlockEnds<double>;

std::vector<Row> system_of(int n, unsigned which) {
  std::mt19937 random(which);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Row> rows(std::size_t{1} << n);
  for (Row& row : rows) {
    row = {any(random), 0, any(random), any(random)};
    if (which % 3 == 1 && random() % 4 == 0) row.a = 0;  // couplings that are none
    if (which % 3 == 1 && random() % 4 == 0) row.c = 0;
    row.b = (std::abs(row.a) + std::abs(row.c) + .5) * (random() % 2 ? 1 : -1);
    const double scale = which % 3 == 2 ? std::pow(10., double(random() % 25) - 12) : 1;
    row = {row.a * scale, row.b * scale, row.c * scale, row.d * scale};
  }
  rows.front().a = rows.back().c = 0;
  return rows;
}

/// By elimination from above, in long double.
std::vector<double> solved(const std::vector<Row>& rows) {
  std::vector<long double> b, d;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const long double f = i ? rows[i].a / b.back() : 0;
    const long double above = i ? rows[i - 1].c : 0;
    const long double right = i ? d.back() : 0;
    b.push_back(rows[i].b - f * above);
    d.push_back(rows[i].d - f * right);
  }
  std::vector<double> x(rows.size());
  for (std::size_t i = rows.size(); i-- > 0;)
    x[i] = double((d[i] - (i + 1 < rows.size() ? rows[i].c * static_cast<long double>(x[i + 1]) : 0)) / b[i]);
  return x;
}

std::vector<double> quotients(const std::vector<Row>& rows) {
  std::vector<double> x;
  for (const Row& row : rows) x.push_back(row.d / row.b);
  return x;
}

template <class Algorithm>
std::vector<double> by_neighbours(const Algorithm& a, const std::vector<Row>& rows, ZeroPivot& zero) {
  return quotients(run(a, rows, [&](const auto& before, int j, std::uint32_t e) {
    const std::uint32_t left = a.partner(j, e, 0), right = a.partner(j, e, 2);
    return reduced(left == no_element ? nullptr : &before[left], before[e],
                   right == no_element ? nullptr : &before[right], e, a.apart(j), zero);
  }));
}

std::vector<double> by_wang_mou(int n, const std::vector<Row>& rows, ZeroPivot& zero) {
  const WangMou a{{n}};
  return quotients(run(a, rows, [&](const auto& before, int j, std::uint32_t e) {
    const std::uint32_t m = a.partner(j, e, 0), first = a.partner(j, e, 2);
    const auto seam =
        seam_of(before[m == no_element ? e : m], before[first == no_element ? e : first], a.before_seam(j, e), zero);
    return digit(e, j) ? across_from_behind(before[e], seam, zero) : across_from_before(before[e], seam, zero);
  }));
}

std::vector<double> by_ladner_fischer(int n, const std::vector<Row>& rows, ZeroPivot& zero) {
  const TridiagonalLadnerFischer a{{n}};
  std::vector<Block> blocks;
  for (const Row& row : rows) blocks.push_back({row, row});
  blocks = run(
      a, blocks,
      [&](const auto& before, int j, std::uint32_t e) {
        return merged(before[a.partner(j, e, 0)], before[a.partner(j, e, 1)], a.partner(j, e, 0), zero);
      },
      1, n);
  // x = first + second x of the next one.
  std::vector<std::pair<double, double>> maps;
  for (const Block& block : blocks) maps.emplace_back(block.last.d / block.last.b, -block.last.c / block.last.b);
  maps = run(
      a, maps,
      [&](const auto& before, int j, std::uint32_t e) {
        const auto [alpha, beta] = before[a.partner(j, e, 0)];
        const auto [next_alpha, next_beta] = before[a.partner(j, e, 1)];
        return std::pair(alpha + beta * next_alpha, beta * next_beta);
      },
      n + 1);
  std::vector<double> x;
  for (const auto& [alpha, beta] : maps) x.push_back(alpha);
  return x;
}

TEST(Systems, SystemsAreSolved) {
  for (unsigned which = 0; which < 12; ++which)
    for (int n = 1; n <= 9; ++n) {
      const auto rows = system_of(n, which);
      const auto expected = solved(rows);
      double most = 0;
      for (const double x : expected) most = std::max(most, std::abs(x));
      ZeroPivot zero;
      const std::pair<const char*, std::vector<double>> all[] = {
          {"cyclic reduction", by_neighbours(CyclicReduction{{n}}, rows, zero)},
          {"parallel cyclic reduction", by_neighbours(ParallelCyclicReduction{{n}}, rows, zero)},
          {"Wang and Mou", by_wang_mou(n, rows, zero)},
          {"Ladner and Fischer", by_ladner_fischer(n, rows, zero)},
      };
      EXPECT_EQ(zero.row, no_element);
      for (const auto& [name, x] : all)
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9 * most) << name << ", " << which;
    }
}

TEST(Systems, ZeroPivotsAreSeen) {
  for (const std::uint32_t row : {0u, 3u, 7u}) {
    auto rows = system_of(3, 0);
    rows[row] = {0, 0, 0, 1};
    ZeroPivot reduced_zero, mou_zero;
    const auto x = by_neighbours(CyclicReduction{{3}}, rows, reduced_zero), y = by_wang_mou(3, rows, mou_zero);
    const auto finite = [](const auto& all) {
      return std::all_of(all.begin(), all.end(), [](double one) { return std::isfinite(one); });
    };
    EXPECT_TRUE(reduced_zero.row != no_element || !finite(x)) << row;
    EXPECT_TRUE(mou_zero.row != no_element || !finite(y)) << row;
  }
}

TEST(Systems, SystemsWorkAndDepth) {
  for (int n = 1; n <= 10; ++n) {
    const auto N = std::uint64_t{1} << n, m = static_cast<std::uint64_t>(n);
    EXPECT_EQ(nodes_of(CyclicReduction{{n}}), 2 * N - 2);
    EXPECT_EQ(nodes_of(ParallelCyclicReduction{{n}}), m * N);
    EXPECT_EQ(nodes_of(WangMou{{n}}), m * N);
    EXPECT_EQ(nodes_of(TridiagonalLadnerFischer{{n}}), m * N);
    if (n <= 6) {
      EXPECT_EQ(nodes_of(Thomas{{n}}), 2 * N - 2);
    }
  }
}

}  // namespace
}  // namespace warploom
