#include "gpu/bench/link_times.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/bench/suites.h"
#include "gpu/core/error.h"

// What exchanges take, of pools that stand for devices.

namespace warploom {
namespace {

TEST(LinkTimes, AreOfExchangesThatArrived) {
  Queue queue(Backend::cpu);
  for (const int devices : {2, 4}) {
    const auto team = Team::of(Backend::cpu, devices);
    const auto times = bench::time_exchange(queue, *team, 1024, 5, 7);
    EXPECT_TRUE(times.verified);
    EXPECT_EQ(times.microseconds.size(), 5u);
    EXPECT_GT(*std::ranges::min_element(times.microseconds), 0);
    EXPECT_EQ(bench::time_joins(queue, *team, 5).size(), 5u);
  }
}

TEST(LinkTimes, AreASuiteOfTheirOwn) {
  bench::Settings settings;
  settings.samples = 3;
  settings.set["devices"] = "2";
  bench::check_settings(settings);
  bench::Bench run(Backend::cpu, settings);
  const auto figures = bench::find_suite("devices").run(run);
  ASSERT_GT(figures.size(), 4u);
  for (const bench::Figure& figure : figures) {
    EXPECT_TRUE(figure.verified) << figure.name;
    EXPECT_GT(figure.median, 0) << figure.name;
    EXPECT_EQ(figure.parameter("devices"), "2");
  }
  settings.set["devices"] = "2,3";
  EXPECT_THROW(bench::check_settings(settings), UsageError);
}

}  // namespace
}  // namespace warploom
