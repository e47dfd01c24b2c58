#include <gtest/gtest.h>

#include "gpu/core/error.h"
#include "tests/scenes/benches.h"

namespace warploom {

namespace {

Figures run(const std::string& algorithm, const std::string& n) {
  bench::Bench bench(Backend::cpu, little({{"algorithm", algorithm}, {"n", n}}));
  return figures_of(bench, "butterfly");
}

}  // namespace

TEST(BenchButterfly, EveryTrackHasItsRateBesideTheVendors) {
  const Figures figures = run("scan,sort", "4,5");
  for (const char* name : {"scan/n4/kogge_stone", "scan/n5/brent_kung", "sort/n4/bitonic", "sort/n5/odd_even_merge"}) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(figures.contains(name));
    const bench::Figure& figure = figures.at(name);
    EXPECT_TRUE(figure.verified);
    EXPECT_GT(figure.median, 0);
    EXPECT_EQ(figure.peer, "vendor");
    EXPECT_GT(figure.ratio_to_peer, 0);
    EXPECT_GT(figure.share_of_ceiling, 0);
  }
  EXPECT_EQ(figures.at("scan/n4/vendor").unit, "MData/s");
  EXPECT_EQ(figures.at("sort/n4/vendor").unit, "MKeys/s");
  EXPECT_FALSE(figures.contains("scan/n4/kogge_stone/look_back")) << "a block holds such a row";
}

TEST(BenchButterfly, AMissingVendorIsSaidAndWrongSettingsAreRefused) {
  const bench::Figure vendor = run("tridiagonal", "3").at("tridiagonal/n3/vendor");
  EXPECT_TRUE(vendor.verified);
  EXPECT_EQ(vendor.samples, 0u);
  EXPECT_TRUE(vendor.note.starts_with("skipped: ")) << vendor.note;
  const auto refused = [](const char* algorithm, const char* n) {
    EXPECT_THROW(bench::check_settings(little({{"algorithm", algorithm}, {"n", n}})), UsageError) << algorithm << n;
  };
  refused("ftt", "3");
  refused("fft", "25");
  refused("fft", "six");
}

}  // namespace warploom
