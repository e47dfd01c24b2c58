#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/scenes/irregular/bench/skewed_matrix.h"
#include "gpu/tracks/facets/approximate.h"
#include "tests/scenes/benches.h"

namespace warploom {

namespace {

Figures run(const std::string& curve) {
  bench::Settings settings = little({{"curve", curve}});
  settings.scale = 1. / 64;
  bench::Bench bench(Backend::cpu, settings);
  return figures_of(bench, "irregular");
}

}  // namespace

TEST(BenchIrregular, EverySystemHasItsRatesBesideAPeer) {
  const Figures figures = run("rmat,pairs,points,grain");
  for (const char* name :
       {"rmat/csr/merge", "pairs/two_level/build", "pairs/two_level/hits", "pairs/linear/misses",
        "points/n10/radix/boxes", "points/n10/levels/atomic/nodes", "grain/0/stealing", "grain/64/lock_free_queue"}) {
    ASSERT_TRUE(figures.contains(name)) << name;
    expect_times(figures.at(name));
    expect_ratio(figures.at(name));
  }
  EXPECT_EQ(figures.at("rmat/csr/merge").unit, "GFLOP/s");
  EXPECT_GT(figures.at("rmat/csr/merge").share_of_ceiling, 0);
  EXPECT_EQ(figures.at("pairs/two_level/cuckoo").unit, "MPairs/s");
  EXPECT_FALSE(figures.contains("pairs/linear/cuckoo")) << "it has no such stage";
  EXPECT_EQ(figures.at("points/n10/radix/boxes").unit, "MPoints/s");
  const bench::Figure& busy = figures.at("grain/256/stealing/busy");
  EXPECT_GT(busy.median, 10);
  EXPECT_LE(busy.median, 100);
  EXPECT_LT(figures.at("grain/0/stealing/busy").median, busy.median) << "tasks of no work are overhead alone";
  const bench::Figure& vendor = figures.at("rmat/vendor");
  EXPECT_EQ(vendor.samples, 0u);
  EXPECT_TRUE(vendor.note.starts_with("skipped: ")) << vendor.note;
}

TEST(BenchIrregular, AStepThatWritesNothingIsSeen) {
  for (const char* name : {"spmv", "hash", "tree", "tasks"}) {
    SCOPED_TRACE(name);
    Queue queue(Backend::cpu);
    IrregularSettings settings;
    settings.system = name;
    settings.keys = "random";
    settings.count = 500;
    settings.size = 64;
    const IrregularSystem& system = find_irregular_system(name);
    const auto track = system.make(queue, system.problem(settings), settings, system.tracks[0]);
    track->need<IrregularFacet>().start(queue);
    track->publish(queue);
    EXPECT_TRUE(track->need<Approximate>().verdict(queue, *track).holds());
    track->need<IrregularFacet>().poison(queue);
    track->publish(queue);
    EXPECT_FALSE(track->need<Approximate>().verdict(queue, *track).holds());
  }
}

TEST(BenchIrregular, SkewMakesRowsUnequalAndKeepsTheNonzeros) {
  std::uint32_t longest = 0;
  for (const double skew : {0., .4, .8}) {
    const auto problem = bench::skewed_matrix(4096, 65536, skew, 7);
    const SpmvMatrix& matrix = problem->matrix;
    EXPECT_NEAR(static_cast<double>(matrix.nonzeros()), 65536, 200);
    EXPECT_GT(matrix.longest, longest);
    longest = matrix.longest;
    std::vector<std::uint32_t> lengths(matrix.rows);
    for (std::uint32_t row = 0; row < matrix.rows; ++row) {
      lengths[row] = matrix.length(row);
      const auto first = matrix.column_of.begin() + matrix.row_starts[row];
      EXPECT_TRUE(std::is_sorted(first, first + lengths[row], std::less_equal<>())) << "ascending, none twice";
    }
    std::ranges::sort(lengths, std::greater<>());
    // The share of the first and of the 100th row, by the sum of k^-skew that a loop of its own adds up.
    double all = 0;
    for (int k = 1; k <= 4096; ++k) all += std::pow(k, -skew);
    EXPECT_NEAR(lengths[0], 65536 / all, 1.01);
    EXPECT_NEAR(lengths[99], 65536 * std::pow(100, -skew) / all, 1.01);
  }
}

TEST(BenchIrregular, AnUnknownCurveIsRefused) {
  EXPECT_THROW(bench::check_settings(little({{"curve", "lode"}})), UsageError);
}

}  // namespace warploom
