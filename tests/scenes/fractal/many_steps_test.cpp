#include <gtest/gtest.h>

#include <utility>

#include "gpu/tracks/facets/all.h"
#include "tests/tracks/tracks.h"

// Many steps at once: launches that follow each other, or a graph of them, without a seal in between.

namespace warploom {
namespace {

class ManySteps : public TrackTest {
 protected:
  /// A simulation that is filled.
  std::unique_ptr<Simulation> filled(const FractalSettings& settings, const std::vector<std::string>& names,
                                     std::uint64_t seed = 7, double density = .5) {
    auto all = simulation(settings, names);
    fill(*all, *queue, seed, density);
    return all;
  }
  void single_steps(Simulation& one, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) one.step(*queue, nullptr, i + 1 == count);
  }
};

bool never() { return false; }
const std::vector<std::string> sliced_beside{"lambda_table", "sliced"};
const std::vector<std::string> stored_apart{"bounding_box", "lambda_table/rows", "compact", "sliced"};

/// Every track has the seal, and folded what, the first of the other simulation did.
void expect_as(const Simulation& many, const Simulation& one) {
  ASSERT_TRUE(all_agree(many));
  ASSERT_EQ(many.steps(), one.steps());
  for (std::size_t i = 0; i < many.size(); ++i) {
    ASSERT_EQ(many.status()[i].seal.hash, one.status()[0].seal.hash) << many.track(i).info().name;
    ASSERT_EQ(many.status()[i].folded, one.status()[0].folded) << many.track(i).info().name;
  }
}
WARPLOOM_ON_BOTH_BACKENDS(ManySteps);

TEST_P(ManySteps, AreThatManySteps) {
  // Levels with a tile of tiles, and without; 7 a launch, the rest one by one.
  const bool cuda = queue->backend() == Backend::cuda;
  for (const int level : cuda ? std::vector{5, 8, 11, 12, 13} : std::vector{5, 11})
    for (const char* rule : {"B3/S23", "B0123/S45"}) {
      SCOPED_TRACE(std::to_string(level) + " " + rule);
      const auto settings = settings_of(gasket(), level, 0, "life", rule);
      const auto one = filled(settings, sliced_beside), many = filled(settings, sliced_beside);
      for (const std::uint64_t count : {1u, 7u, 10u, 14u, 7u, 2u, 7u}) {
        single_steps(*one, count);
        std::uint64_t done = 0;
        while (done < count) done += many->steps(*queue, nullptr, count - done, never);
        ASSERT_EQ(done, count);
        expect_as(*many, *one);
      }
      // Again, from graphs where there are such.
      for (int again = 0; again < (sanitized ? 2 : 6); ++again) {
        single_steps(*one, 30);
        ASSERT_EQ(many->steps(*queue, nullptr, 30, never), 30u);
        expect_as(*many, *one);
      }
      if (HasFatalFailure()) return;
    }
}

/// A graph repeats launches without what the host does beside them: seals that are fused, sums that are pending.
TEST_P(ManySteps, FromGraphsAreTheSameAgainAndAgain) {
  const bool cuda = queue->backend() == Backend::cuda;
  for (const auto& [mask, level] : {std::pair{gasket(), 8}, std::pair{carpet(), cuda ? 6 : 3}}) {
    SCOPED_TRACE(mask.key);
    const auto settings = settings_of(mask, level, 0, "life", "B36/S125");
    const auto one = filled(settings, sliced_beside), many = filled(settings, sliced_beside);
    for (int again = 0; again < 24; ++again) {
      single_steps(*one, 10);
      ASSERT_EQ(many->steps(*queue, nullptr, 10, never), 10u);
      expect_as(*many, *one);
    }
    if (HasFatalFailure()) return;
  }
  const auto settings = settings_of(gasket(), 6, 3, "reduction");
  const auto sums = simulation(settings, stored_apart);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    fill(*sums, *queue, seed, .4);
    const auto right = filled(settings, stored_apart, seed, .4);
    right->step(*queue, nullptr);
    for (int again = 0; again < 8; ++again) {
      ASSERT_EQ(sums->steps(*queue, nullptr, 10, never), 10u);
      for (std::size_t i = 0; i < sums->size(); ++i)
        ASSERT_EQ(sums->status()[i].folded, right->status()[0].folded) << i << " " << seed << " " << again;
    }
  }
}

/// Where there is no third state, steps that one launch covers are taken whole, however little time there is.
TEST_P(ManySteps, OfOneLaunchAreTakenWholeWithoutAThirdState) {
  const auto settings = settings_of(gasket(), 11, 0, "life");
  const auto both = filled(settings, sliced_beside, 3);
  const auto enough = [] { return true; };
  ASSERT_EQ(both->steps(*queue, nullptr, 7, enough), 7u);
  EXPECT_TRUE(both->status()[1].agrees);
  // With one there are fewer at a time, where a backend asks so often.
  const std::uint64_t some = both->steps(*queue, nullptr, 9, enough);
  EXPECT_EQ(some, queue->backend() == Backend::cpu ? 1u : 9u);
  both->seal(*queue, nullptr);
  EXPECT_TRUE(both->status()[1].agrees);
}

/// A step of a work that folds, or writes a constant, leaves the state; many do the same.
TEST_P(ManySteps, OfOtherWorks) {
  for (const char* work : {"reduction", "single_write", "map_only"}) {
    SCOPED_TRACE(work);
    const auto settings = settings_of(gasket(), 6, 3, work);
    const auto one = filled(settings, stored_apart, 5), many = filled(settings, stored_apart, 5);
    for (int i = 0; i < 12; ++i) one->step(*queue, nullptr);
    for (const std::uint64_t count : {3u, 9u}) ASSERT_EQ(many->steps(*queue, nullptr, count, never), count);
    expect_as(*many, *one);
  }
}

}  // namespace
}  // namespace warploom
