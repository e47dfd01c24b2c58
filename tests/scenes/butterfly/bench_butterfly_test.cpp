#include <gtest/gtest.h>

#include <cmath>

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
  for (const char* name : {"scan/n5/ladner_fischer/tuned", "sort/n5/bitonic/tuned", "sort/n5/vendor"}) {
    ASSERT_TRUE(figures.contains(name)) << name;
    const bench::Figure& figure = figures.at(name);
    EXPECT_GT(figure.share_of_copy, 0) << name;
    EXPECT_LE(figure.copy_low, figure.share_of_copy) << name;
    EXPECT_GE(figure.copy_high, figure.share_of_copy) << name;
  }
  EXPECT_TRUE(figures.at("scan/n5/copy").verified);
  EXPECT_TRUE(std::isnan(figures.at("scan/n5/copy").share_of_copy));
  EXPECT_FALSE(figures.contains("sort/n4/bitonic/tuned")) << "it has no plan";
  EXPECT_FALSE(figures.contains("scan/n4/kogge_stone/look_back")) << "a block holds such a row";
}

TEST(BenchButterfly, DevicesAreComparedWithOne) {
  bench::Bench bench(Backend::cpu, little({{"algorithm", "scan"}, {"n", "6"}, {"devices", "1,2"}}));
  const Figures figures = figures_of(bench, "butterfly");
  const bench::Figure& two = figures.at("scan/n6/ladner_fischer@2");
  EXPECT_TRUE(two.verified);
  EXPECT_EQ(two.peer, "ladner_fischer@1");
  EXPECT_GT(two.ratio_to_peer, 0);
  EXPECT_GT(std::stod(two.parameter("law_ms")), 0);
  EXPECT_TRUE(figures.at("scan/n6/ladner_fischer@1").verified);
  EXPECT_FALSE(figures.contains("scan/n6/ladner_fischer"));
  EXPECT_FALSE(figures.contains("scan/n6/vendor@2")) << "it runs whole rows";
  EXPECT_THROW(bench::check_settings(little({{"devices", "3"}})), UsageError);
}

TEST(BenchButterfly, AMissingVendorIsSaidAndWrongSettingsAreRefused) {
  const bench::Figure vendor = run("tridiagonal", "3").at("tridiagonal/n3/vendor");
  EXPECT_TRUE(vendor.verified);
  EXPECT_EQ(vendor.samples, 0u);
  const Figures systems = run("tridiagonal", "6");
  for (const char* name : {"copy", "wang_mou/tuned", "wang_mou/tuned/interleaved", "parallel_cyclic_reduction/tuned"})
    EXPECT_TRUE(systems.at(std::string("tridiagonal/n6/") + name).verified) << name;
  EXPECT_TRUE(vendor.note.starts_with("skipped: ")) << vendor.note;
  const auto refused = [](const char* algorithm, const char* n) {
    EXPECT_THROW(bench::check_settings(little({{"algorithm", algorithm}, {"n", n}})), UsageError) << algorithm << n;
  };
  refused("ftt", "3");
  refused("fft", "25");
  refused("fft", "six");
}

}  // namespace warploom
