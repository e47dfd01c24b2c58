#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gpu/bench/suites.h"
#include "gpu/core/error.h"

namespace warploom {

namespace {

bench::Settings little(const std::string& algorithm, const std::string& n) {
  bench::Settings settings;
  settings.samples = 3;
  settings.warm_ups = 1;
  settings.scale = 1. / 256;
  settings.seed = 7;
  settings.set = {{"algorithm", algorithm}, {"n", n}};
  return settings;
}

}  // namespace

TEST(BenchButterfly, EveryTrackHasItsRateBesideTheVendors) {
  bench::Bench run(Backend::cpu, little("scan,sort", "4,5"));
  std::map<std::string, bench::Figure> figures;
  for (const auto& figure : bench::find_suite("butterfly").run(run)) figures[figure.name] = figure;
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
  bench::Bench run(Backend::cpu, little("tridiagonal", "3"));
  bool said = false;
  for (const auto& figure : bench::find_suite("butterfly").run(run))
    if (figure.name == "tridiagonal/n3/vendor") {
      said = true;
      EXPECT_TRUE(figure.verified);
      EXPECT_EQ(figure.samples, 0u);
      EXPECT_TRUE(figure.note.starts_with("skipped: ")) << figure.note;
    }
  EXPECT_TRUE(said);
  EXPECT_THROW(bench::check_settings(little("ftt", "3")), UsageError);
  EXPECT_THROW(bench::check_settings(little("fft", "25")), UsageError);
  EXPECT_THROW(bench::check_settings(little("fft", "six")), UsageError);
}

}  // namespace warploom
